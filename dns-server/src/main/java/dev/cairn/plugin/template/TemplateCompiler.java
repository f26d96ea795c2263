package dev.cairn.plugin.template;

import dev.cairn.plugin.template.GoTemplate.Node;
import dev.cairn.plugin.template.GoTemplate.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compiles one template. Knows fields, functions, literals, parentheses, pipelines, comments, trimming and {@code if}; the rest of Go's
 * language is refused by name. Mistakes are thrown as {@link IllegalArgumentException} with a sentence for the user. Used once, by one thread.
 */
final class TemplateCompiler {
    private static final Pattern ACTION = Pattern.compile("\\{\\{(-\\s)?(.*?)(\\s-)?}}", Pattern.DOTALL);
    private static final Pattern ESCAPE = Pattern.compile("\\\\(x\\p{XDigit}{2}|u\\p{XDigit}{4}|U\\p{XDigit}{8}|[0-7]{3}|.)", Pattern.DOTALL);
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:(?<string>\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`)|(?<number>-?(?:0[xX][0-9a-fA-F]+|[0-9]+))"
                    + "|(?<field>(?:\\.[A-Za-z_][A-Za-z0-9_]*)+|\\.)"
                    + "|(?<word>[A-Za-z_][A-Za-z0-9_]*)|(?<mark>[()|]))");

    private final String source;
    private final Matcher actions;
    private String action = "";
    private Matcher tokens = TOKEN.matcher("");
    private int at;
    private @Nullable String closing;

    TemplateCompiler(String source) {
        this.source = source;
        actions = ACTION.matcher(source);
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("template \"" + source + "\": " + what);
    }

    List<Node> compile() {
        List<Node> nodes = nodes();
        if (closing != null) {
            throw wrong("{{ " + closing + " }} has no {{ if }}");
        }
        return nodes;
    }

    /** Nodes up to the end, or to an {@code else} or {@code end}, which is left in {@link #closing}. */
    private List<Node> nodes() {
        List<Node> nodes = new ArrayList<>();
        closing = null;
        int from = actions.hasMatch() ? actions.end() : 0;
        boolean trimmed = actions.hasMatch() && actions.group(3) != null;
        while (actions.find()) {
            text(nodes, source.substring(from, actions.start()), trimmed, actions.group(1) != null);
            from = actions.end();
            trimmed = actions.group(3) != null;
            String inside = actions.group(2).strip();
            if (inside.startsWith("/*") && inside.endsWith("*/")) {
                continue;
            }
            if (inside.equals("end") || inside.equals("else") || inside.startsWith("else ")) {
                closing = inside;
                return nodes;
            }
            if (inside.startsWith("if ")) {
                nodes.add(choice(inside.substring(3)));
                from = actions.end();
                trimmed = actions.group(3) != null;
            } else {
                nodes.add(new GoTemplate.Print(value(inside)));
            }
        }
        String tail = source.substring(from);
        if (tail.contains("{{")) {
            throw wrong("a {{ has no }}");
        }
        text(nodes, tail, trimmed, false);
        return nodes;
    }

    private static void text(List<Node> nodes, String text, boolean trimStart, boolean trimEnd) {
        String start = trimStart ? text.stripLeading() : text;
        String kept = trimEnd ? start.stripTrailing() : start;
        if (!kept.isEmpty()) {
            nodes.add(new GoTemplate.Text(kept));
        }
    }

    private Node choice(String condition) {
        Value value = value(condition);
        List<Node> then = nodes();
        String end = closing;
        List<Node> otherwise = List.of();
        if (end != null && end.startsWith("else if ")) {
            otherwise = List.of(choice(end.substring("else if ".length())));
        } else if (end != null && end.equals("else")) {
            otherwise = nodes();
            end = closing;
        }
        if (end == null || end.equals("else")) {
            throw wrong("an {{ if }} has no {{ end }}");
        }
        closing = null;
        return new GoTemplate.If(value, then, otherwise);
    }

    private Value value(String text) {
        action = text;
        tokens = TOKEN.matcher(text);
        at = 0;
        Value value = pipeline();
        if (at < action.stripTrailing().length()) {
            throw wrong("\"" + action.substring(at).strip() + "\" is not understood in {{ " + action + " }}");
        }
        return value;
    }

    private boolean next() {
        tokens.region(at, action.length());
        return tokens.lookingAt();
    }

    private boolean isMark(String mark) {
        return next() && mark.equals(tokens.group("mark"));
    }

    /** Commands joined by {@code |}: the value of one is the last argument of the next. */
    private Value pipeline() {
        Value value = command(null);
        while (isMark("|")) {
            at = tokens.end();
            value = command(value);
        }
        return value;
    }

    private Value command(@Nullable Value piped) {
        if (next() && tokens.group("word") != null && !isLiteral(tokens.group("word"))) {
            String function = tokens.group("word");
            at = tokens.end();
            if (!TemplateFunctions.NAMES.contains(function)) {
                throw wrong("\"" + function + "\" is not known (known: if, else, end, "
                        + String.join(", ", TemplateFunctions.NAMES.stream().sorted().toList()) + ")");
            }
            List<Value> args = arguments(piped);
            return data -> {
                List<@Nullable Object> values = new ArrayList<>(args.size());
                args.forEach(arg -> values.add(arg.of(data)));
                return TemplateFunctions.call(function, values);
            };
        }
        boolean isMeta = next() && ".Meta".equals(tokens.group("field"));
        Value first = operand();
        List<Value> args = arguments(piped);
        if (isMeta) {
            if (args.size() != 1) {
                throw wrong(".Meta wants a label; write: .Meta \"plugin/label\"");
            }
            return data -> data.meta(TemplateFunctions.text(args.getFirst().of(data)));
        }
        if (!args.isEmpty()) {
            throw wrong("{{ " + action + " }} gives arguments to what is not a function");
        }
        return first;
    }

    private List<Value> arguments(@Nullable Value piped) {
        List<Value> args = new ArrayList<>();
        while (next() && !"|".equals(tokens.group("mark")) && !")".equals(tokens.group("mark"))) {
            args.add(operand());
        }
        if (piped != null) {
            args.add(piped);
        }
        return args;
    }

    private static boolean isLiteral(String word) {
        return word.equals("true") || word.equals("false") || word.equals("nil");
    }

    private Value operand() {
        if (!next()) {
            throw wrong("{{ " + action + " }} is not understood: write a field such as .Name, or a function");
        }
        at = tokens.end();
        if (tokens.group("string") != null) {
            return constant(unquote(tokens.group("string")));
        }
        if (tokens.group("number") != null) {
            return constant(Long.decode(tokens.group("number")));
        }
        if (tokens.group("word") != null) {
            return word(tokens.group("word"));
        }
        if (tokens.group("field") != null) {
            return field(tokens.group("field"));
        }
        if (!"(".equals(tokens.group("mark"))) {
            throw wrong("\"" + tokens.group("mark") + "\" is not expected in {{ " + action + " }}");
        }
        Value inside = pipeline();
        if (!isMark(")")) {
            throw wrong("a ( has no ) in {{ " + action + " }}");
        }
        at = tokens.end();
        if (at < action.length() && action.charAt(at) == '.' && next()) {
            String[] path = tokens.group("field").substring(1).split("\\.");
            at = tokens.end();
            return data -> follow(inside.of(data), path, 0);
        }
        return inside;
    }

    private Value word(String word) {
        if (!isLiteral(word)) {
            throw wrong("\"" + word + "\" is not a value; put ( ) round a function with its arguments");
        }
        return word.equals("nil") ? _ -> null : constant(word.equals("true"));
    }

    private static Value constant(Object value) {
        return _ -> value;
    }

    private Value field(String text) {
        String[] path = text.equals(".") ? new String[0] : text.substring(1).split("\\.");
        if (path.length == 0 || !TemplateData.FIELDS.contains(path[0])) {
            throw wrong("\"" + text + "\" is not known (known: "
                    + String.join(", ", TemplateData.FIELDS.stream().sorted().map(name -> "." + name).toList()) + ")");
        }
        return data -> follow(data.field(path[0]), path, 1);
    }

    private static @Nullable Object follow(@Nullable Object start, String[] path, int from) {
        Object value = start;
        for (int i = from; i < path.length; i++) {
            if (!(value instanceof Map<?, ?> map)) {
                throw new TemplateFailure("there is no field ." + path[i]);
            }
            value = map.get(path[i]);
        }
        return value;
    }

    private String unquote(String quoted) {
        String inside = quoted.substring(1, quoted.length() - 1);
        if (quoted.startsWith("`") || inside.indexOf('\\') < 0) {
            return inside;
        }
        Matcher escapes = ESCAPE.matcher(inside);
        StringBuilder text = new StringBuilder();
        while (escapes.find()) {
            escapes.appendReplacement(text, Matcher.quoteReplacement(unescape(escapes.group(1))));
        }
        return escapes.appendTail(text).toString();
    }

    /** An escape of Go's string literals (The Go Programming Language Specification, "Rune literals"). */
    private String unescape(String escape) {
        return switch (escape.charAt(0)) {
            case 'a' -> "\u0007";
            case 'b' -> "\b";
            case 'f' -> "\f";
            case 'n' -> "\n";
            case 'r' -> "\r";
            case 't' -> "\t";
            case 'v' -> "\u000b";
            case '\\', '"' -> escape;
            case 'x', 'u', 'U' -> escape.length() == 1 ? wrongEscape(escape) : Character.toString(Integer.parseInt(escape.substring(1), 16));
            default -> escape.matches("[0-7]{3}") ? Character.toString(Integer.parseInt(escape, 8)) : wrongEscape(escape);
        };
    }

    private String wrongEscape(String escape) {
        throw wrong("\\" + escape + " is not an escape in a string; write \\\\ for a backslash");
    }
}
