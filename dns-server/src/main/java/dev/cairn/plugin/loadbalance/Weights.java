package dev.cairn.plugin.loadbalance;

import dev.cairn.wire.Answer.Part;
import dev.cairn.wire.IpAddress;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import dev.cairn.zone.NameMap;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The content of a weight file: by name, the weights of its addresses. Immutable. */
final class Weights {
    /** The weight of an address that the file does not name. */
    static final int DEFAULT = 1;

    static final Weights NONE = new Weights(Map.of());

    private static final int MAX = 255;

    private final NameMap<Map<ByteBuffer, Integer>> byName;

    private Weights(Map<WireName, Map<ByteBuffer, Integer>> byName) {
        this.byName = NameMap.copyOf(byName);
    }

    /** The weights for the owner of the records, null if the file does not name it. */
    @Nullable Map<ByteBuffer, Integer> of(Part part, QueryView query) {
        return part.forQuestion() ? byName.get(query) : byName.get(part.set().owner());
    }

    /**
     * Reads a file's content: a name on a line of its own, then its addresses with their weights, a pair on each line.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    static Weights parse(String content, String file) {
        Map<WireName, Map<ByteBuffer, Integer>> byName = new HashMap<>();
        Map<ByteBuffer, Integer> current = null;
        int number = 0;
        for (String line : content.lines().toList()) {
            number++;
            String[] fields = line.strip().split("\\s+", -1);
            if (fields[0].isEmpty() || fields[0].startsWith("#")) {
                continue;
            }
            try {
                if (fields.length == 1) {
                    current = byName.computeIfAbsent(name(fields[0]), _ -> new HashMap<>());
                } else {
                    add(current, fields);
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(e.getMessage() + " in weight file " + file + ", line " + number, e);
            }
        }
        return new Weights(byName);
    }

    private static WireName name(String field) {
        if (IpAddress.parse(field) != null) {
            throw new IllegalArgumentException("wrong domain name:\"" + field + "\" (is its weight missing?)");
        }
        return WireName.parse(field);
    }

    private static void add(@Nullable Map<ByteBuffer, Integer> current, String[] fields) {
        if (fields.length != 2) {
            throw new IllegalArgumentException("too many words, write ADDRESS WEIGHT or a name,");
        }
        byte[] address = IpAddress.parse(fields[0]);
        if (address == null) {
            throw new IllegalArgumentException("wrong IP address:\"" + fields[0] + "\"");
        }
        if (!fields[1].matches("[0-9]{1,3}") || Integer.parseInt(fields[1]) < 1 || Integer.parseInt(fields[1]) > MAX) {
            throw new IllegalArgumentException("wrong weight value:\"" + fields[1] + "\" (write 1 to " + MAX + ")");
        }
        if (current == null) {
            throw new IllegalArgumentException("missing domain name before \"" + fields[0] + "\"");
        }
        current.putIfAbsent(ByteBuffer.wrap(address), Integer.parseInt(fields[1]));
    }
}
