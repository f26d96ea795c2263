package dev.cairn.plugin.template;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The functions of Go's templates that make sense in records, and {@code parseInt}. */
final class TemplateFunctions {
    static final Set<String> NAMES = Set.of(
            "and", "eq", "ge", "gt", "index", "le", "len", "lt", "ne", "not", "or", "parseInt", "print", "printf", "slice");

    private static final Pattern VERB = Pattern.compile("%([-+# 0]*)([0-9]*)(?:\\.([0-9]+))?([a-zA-Z%])");

    private TemplateFunctions() {}

    static @Nullable Object call(String name, List<@Nullable Object> args) {
        return switch (name) {
            case "index" -> index(args);
            case "len" -> (long) size(arg(args, 0));
            case "slice" -> slice(args);
            case "parseInt" -> parseInt(text(arg(args, 0)), integer(arg(args, 1)), integer(arg(args, 2)));
            case "print" -> String.join("", args.stream().map(TemplateFunctions::text).toList());
            case "printf" -> printf(text(arg(args, 0)), args.subList(1, args.size()));
            case "not" -> !truth(arg(args, 0));
            case "and" -> args.stream().filter(value -> !truth(value)).findFirst().orElseGet(() -> arg(args, args.size() - 1));
            case "or" -> args.stream().filter(TemplateFunctions::truth).findFirst().orElseGet(() -> arg(args, args.size() - 1));
            case "eq" -> args.stream().skip(1).anyMatch(value -> Objects.equals(value, arg(args, 0)));
            case "ne" -> !Objects.equals(arg(args, 0), arg(args, 1));
            case "lt" -> compare(args) < 0;
            case "le" -> compare(args) <= 0;
            case "gt" -> compare(args) > 0;
            default -> compare(args) >= 0;
        };
    }

    private static @Nullable Object arg(List<@Nullable Object> args, int i) {
        if (i < 0 || i >= args.size()) {
            throw new TemplateFailure("argument " + (i + 1) + " is missing");
        }
        return args.get(i);
    }

    /** What Go takes for true: all but false, zero and what is empty. */
    static boolean truth(@Nullable Object value) {
        return switch (value) {
            case null -> false;
            case Boolean truth -> truth;
            case Long number -> number != 0;
            case String text -> !text.isEmpty();
            case List<?> list -> !list.isEmpty();
            case Map<?, ?> map -> !map.isEmpty();
            default -> true;
        };
    }

    static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "<no value>";
            case List<?> list -> "[" + String.join(" ", list.stream().map(TemplateFunctions::text).toList()) + "]";
            default -> value.toString();
        };
    }

    private static long integer(@Nullable Object value) {
        if (value instanceof Long number) {
            return number;
        }
        throw new TemplateFailure(text(value) + " is not a number");
    }

    private static int size(@Nullable Object value) {
        return switch (value) {
            case String text -> text.length();
            case List<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            case null, default -> throw new TemplateFailure(text(value) + " has no length");
        };
    }

    private static @Nullable Object index(List<@Nullable Object> args) {
        Object value = arg(args, 0);
        for (Object key : args.subList(1, args.size())) {
            if (value instanceof Map<?, ?> map) {
                value = map.get(text(key));
                value = value == null ? "" : value;
            } else {
                int at = Math.toIntExact(integer(key));
                if (at < 0 || at >= size(value)) {
                    throw new TemplateFailure("index out of range: " + at);
                }
                value = value instanceof List<?> list ? list.get(at) : Long.valueOf(text(value).charAt(at));
            }
        }
        return value;
    }

    private static Object slice(List<@Nullable Object> args) {
        Object value = arg(args, 0);
        int from = args.size() > 1 ? Math.toIntExact(integer(arg(args, 1))) : 0;
        int to = args.size() > 2 ? Math.toIntExact(integer(arg(args, 2))) : size(value);
        if (from < 0 || to < from || to > size(value)) {
            throw new TemplateFailure("index out of range: " + to);
        }
        return value instanceof List<?> list ? list.subList(from, to) : text(value).substring(from, to);
    }

    private static int compare(List<@Nullable Object> args) {
        Object left = arg(args, 0);
        Object right = arg(args, 1);
        return left instanceof Long a && right instanceof Long b ? a.compareTo(b) : text(left).compareTo(text(right));
    }

    /** As Go's {@code strconv.ParseUint}. */
    private static Object parseInt(String digits, long base, long bits) {
        try {
            String lower = digits.toLowerCase(java.util.Locale.ROOT);
            boolean hex = base == 0 && lower.startsWith("0x");
            long value = Long.parseUnsignedLong(hex ? digits.substring(2) : digits, hex ? 16 : base == 0 ? 10 : Math.toIntExact(base));
            boolean fits = bits <= 0 || bits >= 64 || (value >>> bits) == 0;
            if (digits.startsWith("+") || digits.startsWith("-") || !fits) {
                throw new TemplateFailure("parseInt: \"" + digits + "\" is not a number of " + bits + " bits");
            }
            return value;
        } catch (NumberFormatException e) {
            throw new TemplateFailure("parseInt: \"" + digits + "\" is not a number of base " + base);
        }
    }

    private static String printf(String format, List<@Nullable Object> args) {
        StringBuilder text = new StringBuilder();
        Matcher verb = VERB.matcher(format);
        int next = 0;
        while (verb.find()) {
            String piece = verb.group(4).equals("%") ? "%" : verb(verb, arg(args, next++));
            verb.appendReplacement(text, Matcher.quoteReplacement(piece));
        }
        return verb.appendTail(text).toString();
    }

    private static String verb(Matcher verb, @Nullable Object value) {
        String plain = switch (verb.group(4)) {
            case "s", "v" -> text(value);
            case "d" -> Long.toString(integer(value));
            case "x", "X" -> hex(value, verb.group(4).equals("X"));
            case "o" -> Long.toOctalString(integer(value));
            case "b" -> Long.toBinaryString(integer(value));
            case "c" -> Character.toString((int) integer(value));
            case "q" -> "\"" + text(value) + "\"";
            case "t" -> Boolean.toString(truth(value));
            default -> throw new TemplateFailure("printf: %" + verb.group(4) + " is not known");
        };
        String cut = verb.group(3) != null && "sv".contains(verb.group(4))
                ? plain.substring(0, Math.min(plain.length(), Integer.parseInt(verb.group(3)))) : plain;
        int missing = (verb.group(2).isEmpty() ? 0 : Integer.parseInt(verb.group(2))) - cut.length();
        if (missing <= 0) {
            return cut;
        }
        if (verb.group(1).contains("-")) {
            return cut + " ".repeat(missing);
        }
        return (verb.group(1).contains("0") ? "0" : " ").repeat(missing) + cut;
    }

    private static String hex(@Nullable Object value, boolean upper) {
        String text = value instanceof Long number ? Long.toHexString(number)
                : java.util.HexFormat.of().formatHex(text(value).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return upper ? text.toUpperCase(java.util.Locale.ROOT) : text;
    }
}
