package dev.cairn.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of an expression cut into tokens, with a place in them. Used once, by one thread. */
final class Tokens {
    private static final Set<String> WORDS = Set.of(
            "true", "false", "nil", "not", "and", "or", "in", "matches", "contains", "startsWith", "endsWith", "let", "if", "else");
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:(?<number>0[xX][0-9a-fA-F]+|[0-9][0-9_]*(?:\\.[0-9]+)?)|(?<name>[A-Za-z_$][A-Za-z0-9_]*)"
                    + "|(?<string>'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`)"
                    + "|(?<mark>\\*\\*|==|!=|<=|>=|&&|\\|\\||\\?\\?|\\?\\.|\\.\\.|[-+*/%^<>!?:.,()\\[\\]{}#|])|(?<end>$))",
            Pattern.DOTALL);

    enum Form { NUMBER, NAME, STRING, MARK, END }

    /** @param at where it starts in the text, counted from 1 */
    record Token(Form form, String text, int at) {
        boolean is(String expected) {
            return (form == Form.MARK || form == Form.NAME) && text.equals(expected);
        }
    }

    private final String source;
    private final List<Token> tokens = new ArrayList<>();
    private int next;

    Tokens(String source) {
        this.source = source;
        Matcher matcher = TOKEN.matcher(source);
        int at = 0;
        while (tokens.isEmpty() || tokens.getLast().form() != Form.END) {
            matcher.region(at, source.length());
            if (!matcher.lookingAt()) {
                int bad = at + source.substring(at).indexOf(source.substring(at).strip());
                throw wrong(bad + 1, "\"" + source.charAt(bad) + "\" is not understood");
            }
            tokens.add(token(matcher));
            at = matcher.end();
        }
    }

    private static Token token(Matcher matcher) {
        for (Form form : Form.values()) {
            String group = form.name().toLowerCase(java.util.Locale.ROOT);
            if (matcher.group(group) != null) {
                String text = matcher.group(group);
                return new Token(form, form == Form.STRING ? unquote(text) : text, matcher.start(group) + 1);
            }
        }
        throw new IllegalStateException("a token has a form");
    }

    private static String unquote(String quoted) {
        String inside = quoted.substring(1, quoted.length() - 1);
        if (quoted.startsWith("`") || inside.indexOf('\\') < 0) {
            return inside;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < inside.length(); i++) {
            char c = inside.charAt(i);
            if (c == '\\') {
                c = switch (inside.charAt(++i)) {
                    case 'n' -> '\n';
                    case 't' -> '\t';
                    case 'r' -> '\r';
                    default -> inside.charAt(i);
                };
            }
            text.append(c);
        }
        return text.toString();
    }

    static boolean isWord(String name) {
        return WORDS.contains(name);
    }

    Token peek() {
        return tokens.get(next);
    }

    Token take() {
        Token token = tokens.get(next);
        next = Math.min(next + 1, tokens.size() - 1);
        return token;
    }

    boolean takeIf(String expected) {
        if (!peek().is(expected)) {
            return false;
        }
        take();
        return true;
    }

    void expect(String expected) {
        if (!takeIf(expected)) {
            String before = peek().form() == Form.END ? "" : " before \"" + peek().text() + "\"";
            throw wrong(peek().at(), "\"" + expected + "\" is missing" + before);
        }
    }

    /** A sentence with the place in the text. */
    IllegalArgumentException wrong(int at, String what) {
        return new IllegalArgumentException("in \"" + source + "\" at character " + at + ": " + what);
    }
}
