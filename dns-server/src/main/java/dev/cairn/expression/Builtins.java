package dev.cairn.expression;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The functions of the language itself, those that Corefiles have a use for. */
final class Builtins {
    static final Set<String> OVER_LISTS = Set.of("all", "any", "none", "one", "filter", "map", "count");

    private static final Map<String, Function> FUNCTIONS = Map.ofEntries(
            function("len", Kind.INT, args -> (long) (args[0] instanceof List<?> list ? list.size() : text(args[0]).length()), Kind.ANY),
            function("lower", Kind.STRING, args -> text(args[0]).toLowerCase(Locale.ROOT), Kind.STRING),
            function("upper", Kind.STRING, args -> text(args[0]).toUpperCase(Locale.ROOT), Kind.STRING),
            function("trim", Kind.STRING, args -> text(args[0]).strip(), Kind.STRING),
            function("trimPrefix", Kind.STRING, args -> cutStart(text(args[0]), text(args[1])), Kind.STRING, Kind.STRING),
            function("trimSuffix", Kind.STRING, args -> cutEnd(text(args[0]), text(args[1])), Kind.STRING, Kind.STRING),
            function("hasPrefix", Kind.BOOL, args -> text(args[0]).startsWith(text(args[1])), Kind.STRING, Kind.STRING),
            function("hasSuffix", Kind.BOOL, args -> text(args[0]).endsWith(text(args[1])), Kind.STRING, Kind.STRING),
            function("indexOf", Kind.INT, args -> (long) text(args[0]).indexOf(text(args[1])), Kind.STRING, Kind.STRING),
            function("lastIndexOf", Kind.INT, args -> (long) text(args[0]).lastIndexOf(text(args[1])), Kind.STRING, Kind.STRING),
            function("replace", Kind.STRING, args -> text(args[0]).replace(text(args[1]), text(args[2])),
                    Kind.STRING, Kind.STRING, Kind.STRING),
            function("split", Kind.LIST, args -> split(text(args[0]), text(args[1])), Kind.STRING, Kind.STRING),
            function("join", Kind.STRING, args -> String.join(text(args[1]), list(args[0]).stream().map(Builtins::text).toList()),
                    Kind.LIST, Kind.STRING),
            function("int", Kind.INT, args -> integer(args[0]), Kind.ANY),
            function("string", Kind.STRING, args -> text(args[0]), Kind.ANY),
            function("first", Kind.ANY, args -> list(args[0]).isEmpty() ? null : list(args[0]).getFirst(), Kind.LIST),
            function("last", Kind.ANY, args -> list(args[0]).isEmpty() ? null : list(args[0]).getLast(), Kind.LIST));

    /** What a function does with its arguments. */
    @FunctionalInterface
    interface Body {
        @Nullable Object of(@Nullable Object[] args);
    }

    record Function(Kind kind, Body body, List<Kind> parameters) {}

    private Builtins() {}

    private static Map.Entry<String, Function> function(String name, Kind kind, Body body, Kind... parameters) {
        return Map.entry(name, new Function(kind, body, List.of(parameters)));
    }

    static boolean isKnown(String name) {
        return FUNCTIONS.containsKey(name) || OVER_LISTS.contains(name);
    }

    static @Nullable Function of(String name) {
        return FUNCTIONS.get(name);
    }

    static List<String> names() {
        return FUNCTIONS.keySet().stream().sorted().toList();
    }

    static String text(@Nullable Object value) {
        return value == null ? "nil" : value.toString();
    }

    static List<?> list(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new EvaluationFailure(text(value) + " is not a list");
    }

    private static String cutStart(String text, String start) {
        return text.startsWith(start) ? text.substring(start.length()) : text;
    }

    private static String cutEnd(String text, String end) {
        return text.endsWith(end) ? text.substring(0, text.length() - end.length()) : text;
    }

    private static List<String> split(String text, String by) {
        return Arrays.asList(text.split(java.util.regex.Pattern.quote(by), -1));
    }

    private static Object integer(@Nullable Object value) {
        if (value instanceof Number number) {
            return number.longValue();
        }
        try {
            return Long.parseLong(text(value));
        } catch (NumberFormatException e) {
            throw new EvaluationFailure("\"" + value + "\" is not a whole number");
        }
    }
}
