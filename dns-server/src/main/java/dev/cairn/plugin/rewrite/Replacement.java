package dev.cairn.plugin.rewrite;

import dev.cairn.chain.Exchange;
import dev.cairn.plugin.MetadataValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a name becomes: text with places for groups of the pattern, {@code {1}}, and for metadata, {@code {plugin/label}}. */
final class Replacement {
    private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");

    private final List<Part> parts;

    private Replacement(List<Part> parts) {
        this.parts = parts;
    }

    private sealed interface Part {}

    private record Literal(String text) implements Part {}

    private record Group(int number) implements Part {}

    /** Finds its source when the block starts, before any query. */
    private static final class Label implements Part {
        final String name;
        @Nullable MetadataValue source;

        Label(String name) {
            this.name = name;
        }
    }

    static Replacement literal(String text) {
        return new Replacement(List.of(new Literal(text)));
    }

    /**
     * Reads places for groups and, if allowed, for metadata; other braces stay as they are.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    static Replacement parse(String text, int groups, boolean metadata) {
        List<Part> parts = new ArrayList<>();
        Matcher place = PLACE.matcher(text);
        int from = 0;
        while (place.find()) {
            String inside = place.group(1);
            Part part = part(inside, groups, metadata);
            if (part != null) {
                parts.add(new Literal(text.substring(from, place.start()).toLowerCase(Locale.ROOT)));
                parts.add(part);
                from = place.end();
            }
        }
        parts.add(new Literal(text.substring(from).toLowerCase(Locale.ROOT)));
        return new Replacement(List.copyOf(parts));
    }

    private static @Nullable Part part(String inside, int groups, boolean metadata) {
        if (inside.matches("[0-9]{1,3}")) {
            int number = Integer.parseInt(inside);
            if (number > groups) {
                throw new IllegalArgumentException(
                        "{" + inside + "} stands for a group that the pattern has not: it has " + groups + "; add ( ) to the pattern");
            }
            return new Group(number);
        }
        if (!metadata) {
            return null;
        }
        if (!inside.matches("[^/]+/[^/]+")) {
            throw new IllegalArgumentException("{" + inside + "} is neither a group nor a label: write {1} or {plugin/label}");
        }
        return new Label(inside);
    }

    void bind(Function<String, @Nullable MetadataValue> metadata) {
        for (Part part : parts) {
            if (part instanceof Label label) {
                label.source = metadata.apply(label.name);
            }
        }
    }

    /** The text alone, for patterns that have no groups. */
    String text() {
        String text = expand(null, null);
        return text == null ? "" : text;
    }

    /** The text with all places filled; null if a label has no value for this query. */
    @Nullable String expand(@Nullable Matcher match, @Nullable Exchange exchange) {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            String piece = switch (part) {
                case Literal(String literal) -> literal;
                case Group(int number) -> match == null || match.group(number) == null ? "" : match.group(number);
                case Label label -> value(label, exchange);
            };
            if (piece == null) {
                return null;
            }
            text.append(piece);
        }
        return text.toString();
    }

    private static @Nullable String value(Label label, @Nullable Exchange exchange) {
        MetadataValue source = label.source;
        String value = source == null || exchange == null ? null : source.of(exchange);
        return value == null || value.isEmpty() ? null : value.toLowerCase(Locale.ROOT);
    }
}
