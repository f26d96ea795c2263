package dev.cairn.corefile;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Finds braces that lack the white space they need, reports them and parts them from their word, so that the rest of the file is
 * still understood. Only words are taken that cannot mean anything else: placeholders, regular expressions and templates have both
 * braces or two in a row.
 */
final class GluedBraces {

    private static final Pattern OPEN_AFTER = Pattern.compile("[^{}]+\\{");
    private static final Pattern CLOSE_AFTER = Pattern.compile("[^{}]+}");
    private static final Pattern OPEN_BEFORE = Pattern.compile("\\{[A-Za-z_]+");
    private static final Pattern CLOSE_BEFORE = Pattern.compile("}[^{}]+");

    private GluedBraces() {
    }

    static List<Lexeme> separate(List<Lexeme> lexemes, Problems problems) {
        List<Lexeme> separated = new ArrayList<>(lexemes.size());
        for (int i = 0; i < lexemes.size(); i++) {
            Lexeme lexeme = lexemes.get(i);
            boolean endsLine = i + 1 == lexemes.size() || lexemes.get(i + 1).startsLine();
            int cut = lexeme.quoted() ? 0 : cut(lexeme, endsLine);
            if (cut == 0) {
                separated.add(lexeme);
                continue;
            }
            String before = lexeme.text().substring(0, cut);
            String after = lexeme.text().substring(cut);
            problems.error(lexeme.token().at(), explain(lexeme.text(), before, after));
            separated.add(new Lexeme(new Token(before, lexeme.token().at()), lexeme.startsLine(), false, lexeme.column()));
            separated.add(new Lexeme(new Token(after, lexeme.token().at()), false, false, lexeme.column() + cut));
        }
        return separated;
    }

    private static int cut(Lexeme lexeme, boolean endsLine) {
        String text = lexeme.text();
        if (endsLine && (OPEN_AFTER.matcher(text).matches() || CLOSE_AFTER.matcher(text).matches())) {
            return text.length() - 1;
        }
        Pattern before = lexeme.startsLine() ? CLOSE_BEFORE : OPEN_BEFORE;
        return before.matcher(text).matches() ? 1 : 0;
    }

    private static String explain(String text, String before, String after) {
        if (after.equals("{")) {
            return "no space before { in \"" + text + "\": write: " + before + " {";
        }
        if (before.equals("{")) {
            return "no space after { in \"" + text + "\": end the line with { and write " + after + " on the next one";
        }
        return "} sticks to a word in \"" + text + "\": write } on a line of its own";
    }
}
