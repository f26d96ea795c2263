package dev.cairn.corefile;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Replaces {@code {$NAME}} and {@code {%NAME%}} in tokens; a variable that is not set counts as empty. */
final class Variables {

    /** Values may name further variables; a value that names itself would go on for ever. */
    private static final int MOST_ROUNDS = 100;
    private static final int LONGEST = 1 << 16;

    private final UnaryOperator<@Nullable String> environment;
    private final Problems problems;

    Variables(UnaryOperator<@Nullable String> environment, Problems problems) {
        this.environment = environment;
        this.problems = problems;
    }

    Token expand(Token token) {
        String text = expand(token, expand(token, token.text(), "{%", "%}"), "{$", "}");
        return text.equals(token.text()) ? token : new Token(text, token.at());
    }

    private String expand(Token token, String original, String open, String close) {
        String text = original;
        for (int round = 0; ; round++) {
            int from = text.indexOf(open);
            int to = from < 0 ? -1 : text.indexOf(close, from);
            if (to <= from + open.length()) {
                return text; // nothing to replace, no end, or no name
            }
            String name = text.substring(from + open.length(), to);
            if (round == MOST_ROUNDS || text.length() > LONGEST) {
                problems.error(token.at(), "variable " + name + " contains itself: set it to a plain value");
                return original;
            }
            String value = environment.apply(name);
            text = text.replace(open + name + close, value == null ? "" : value);
        }
    }
}
