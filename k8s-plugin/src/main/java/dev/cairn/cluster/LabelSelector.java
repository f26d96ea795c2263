package dev.cairn.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A label selector as kubectl writes it: {@code app=web,tier in (a, b),!legacy}. All requirements must hold.
 *
 * @param text as it was written, for the API server
 */
public record LabelSelector(String text, List<Requirement> requirements) {
    public static final LabelSelector ALL = new LabelSelector("", List.of());

    private static final String KEY = "(?:[A-Za-z0-9.-]+/)?[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?";
    private static final String VALUE = "[A-Za-z0-9._-]*";
    private static final Pattern PIECE = Pattern.compile("\\s*(?:(!)\\s*(" + KEY + ")|(" + KEY + ")\\s*(?:(==|=|!=)\\s*(" + VALUE
            + ")|\\s(in|notin)\\s*\\(([^()]*)\\))?)\\s*(,|$)");

    /** One condition on a label. */
    public record Requirement(String key, Operator operator, Set<String> values) {
        boolean holds(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case EXISTS -> value != null;
                case ABSENT -> value == null;
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
            };
        }
    }

    /** How a label is compared. */
    public enum Operator {
        EXISTS,
        ABSENT,
        IN,
        NOT_IN
    }

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    /**
     * Reads a selector.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    public static LabelSelector parse(String text) {
        if (text.isBlank()) {
            return ALL;
        }
        List<Requirement> requirements = new ArrayList<>();
        Matcher piece = PIECE.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!piece.find(at) || piece.start() != at) {
                throw new IllegalArgumentException("not a label selector from \"" + text.substring(at) + "\" on: write KEY=VALUE, KEY!=VALUE,"
                        + " KEY in (A,B), KEY notin (A,B), KEY or !KEY, separated by commas");
            }
            requirements.add(requirement(piece));
            at = piece.end();
        }
        return new LabelSelector(text, requirements);
    }

    private static Requirement requirement(Matcher piece) {
        if (piece.group(1) != null) {
            return new Requirement(piece.group(2), Operator.ABSENT, Set.of());
        }
        String key = piece.group(3);
        if (piece.group(4) != null) {
            return new Requirement(key, piece.group(4).equals("!=") ? Operator.NOT_IN : Operator.IN, Set.of(piece.group(5)));
        }
        if (piece.group(6) != null) {
            Set<String> values = Set.copyOf(List.of(piece.group(7).strip().split("\\s*,\\s*", -1)));
            return new Requirement(key, piece.group(6).equals("in") ? Operator.IN : Operator.NOT_IN, values);
        }
        return new Requirement(key, Operator.EXISTS, Set.of());
    }

    public boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.holds(labels));
    }
}
