package dev.cairn.cluster.manifest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A value of a document, with the path and the line where it stands. Looks at parsed nodes in place and only where it is asked, so
 * aliases cost nothing however often they are repeated. Used by one thread.
 */
final class YamlValue {
    private final Node node;
    private final String path;
    private final int lineOffset;
    private @Nullable Map<String, Node> fields;

    YamlValue(Node node, String path, int lineOffset) {
        this.node = node;
        this.path = path;
        this.lineOffset = lineOffset;
    }

    /** The line on which it begins, from 1. */
    int line() {
        return node.getStartMark().map(mark -> mark.getLine() + 1 + lineOffset).orElse(0);
    }

    String path() {
        return path;
    }

    /** An exception for this place, in the words of the API server. */
    ManifestException fault(String message) {
        String value = node instanceof ScalarNode scalar ? "Invalid value: \"" + scalar.getValue() + "\": " : "";
        return new ManifestException(line(), (path.isEmpty() ? "" : path + ": ") + value + message);
    }

    private boolean isNull() {
        return node.getTag().equals(Tag.NULL);
    }

    /** A field; null if it is absent or null. */
    @Nullable YamlValue get(String key) {
        Node field = fields().get(key);
        if (field == null) {
            return null;
        }
        YamlValue value = new YamlValue(field, path.isEmpty() ? key : path + "." + key, lineOffset);
        return value.isNull() ? null : value;
    }

    private Map<String, Node> fields() {
        if (fields == null) {
            fields = readFields();
        }
        return fields;
    }

    private Map<String, Node> readFields() {
        if (!(node instanceof MappingNode mapping)) {
            throw fault("must be a mapping");
        }
        Map<String, Node> read = HashMap.newHashMap(mapping.getValue().size());
        for (NodeTuple tuple : mapping.getValue()) {
            YamlValue key = new YamlValue(tuple.getKeyNode(), path, lineOffset);
            if (!(tuple.getKeyNode() instanceof ScalarNode scalar)) {
                throw key.fault("a key must be plain text");
            }
            if (read.put(scalar.getValue(), tuple.getValueNode()) != null) {
                String place = path.isEmpty() ? "" : path + ": ";
                throw new ManifestException(key.line(), place + "key \"" + scalar.getValue() + "\" is there twice");
            }
        }
        return read;
    }

    /** The text of a scalar. */
    String text() {
        if (!(node instanceof ScalarNode scalar)) {
            throw fault("must be plain text");
        }
        return scalar.getValue();
    }

    /** The text of a field; empty if it is absent. */
    String text(String key) {
        YamlValue value = get(key);
        return value == null ? "" : value.text();
    }

    /** The items of a list. */
    List<YamlValue> items() {
        if (!(node instanceof SequenceNode sequence)) {
            throw fault("must be a list");
        }
        List<YamlValue> items = new ArrayList<>(sequence.getValue().size());
        for (Node item : sequence.getValue()) {
            items.add(new YamlValue(item, path + "[" + items.size() + "]", lineOffset));
        }
        return items;
    }

    /** The items of a field; none if it is absent. */
    List<YamlValue> items(String key) {
        YamlValue value = get(key);
        return value == null ? List.of() : value.items();
    }

    /** The texts of a list in a field; none if it is absent. */
    List<String> texts(String key) {
        return items(key).stream().map(YamlValue::text).toList();
    }

    /** The texts of a mapping in a field; none if it is absent. */
    Map<String, String> textMap(String key) {
        YamlValue value = get(key);
        if (value == null) {
            return Map.of();
        }
        Map<String, String> texts = new LinkedHashMap<>();
        for (String name : value.fields().keySet()) {
            texts.put(name, value.text(name));
        }
        return texts;
    }

    /** The number of a field from 0 or 1 to the highest port; {@code absent} if it is not there. */
    int port(String key, int lowest, int absent) {
        YamlValue value = get(key);
        if (value == null) {
            return absent;
        }
        String digits = value.text();
        if (!digits.matches("[0-9]{1,5}") || Integer.parseInt(digits) > 0xffff || Integer.parseInt(digits) < lowest) {
            throw value.fault("must be between 1 and 65535, inclusive");
        }
        return Integer.parseInt(digits);
    }

    /** A field that is true or false; {@code absent} if it is not there. */
    boolean flag(String key, boolean absent) {
        YamlValue value = get(key);
        if (value == null) {
            return absent;
        }
        return switch (value.text()) {
            case "true", "True", "TRUE" -> true;
            case "false", "False", "FALSE" -> false;
            default -> throw value.fault("must be true or false");
        };
    }
}
