package dev.cairn.corefile;

import java.util.ArrayList;
import java.util.List;

/** Splits the text of one file into lexemes; used by one thread, for one file. */
final class Lexer {

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final String file;
    private final String text;
    private final Problems problems;
    private final List<Lexeme> lexemes = new ArrayList<>();
    private int at;
    private int line = 1;
    private int lineStart;
    private boolean fresh = true;
    /** Line of the last quote that spans lines: the likely culprit when a later one is not closed. */
    private int spanningQuote;

    private Lexer(String file, String text, Problems problems) {
        this.file = file;
        this.text = text;
        this.problems = problems;
    }

    static List<Lexeme> lex(String file, String text, Problems problems) {
        return GluedBraces.separate(new Lexer(file, text, problems).lex(), problems);
    }

    private List<Lexeme> lex() {
        if (!text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK) {
            at = 1;
        }
        skipBlanks();
        while (at < text.length()) {
            if (text.charAt(at) == '"') {
                quoted();
            } else {
                word();
            }
            skipBlanks();
        }
        return lexemes;
    }

    /** Moves over white space and over comments that stand between words: these reach to the end of the line. */
    private void skipBlanks() {
        boolean comment = false;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\n') {
                newLine();
                fresh = true;
                comment = false;
            } else if (c == '#') {
                comment = true;
            } else if (!comment && !isSpace(c)) {
                return;
            }
        }
    }

    private void newLine() {
        line++;
        lineStart = at + 1;
    }

    private void word() {
        int column = column();
        StringBuilder word = new StringBuilder();
        boolean comment = false;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\r') {
                continue;
            }
            if (isSpace(c)) {
                break; // a comment glued to a word ends here too: `a#b c` is read as `a c`, as CoreDNS reads it
            }
            comment |= c == '#';
            if (!comment) {
                word.append(c);
            }
        }
        add(word.toString(), line, column, false);
    }

    private void quoted() {
        int column = column();
        int open = at;
        int openLine = line;
        int openLineStart = lineStart;
        StringBuilder value = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                if (line > openLine) {
                    spanningQuote = openLine;
                }
                add(value.toString(), openLine, column, true);
                return;
            }
            if (c == '\\' && at + 1 < text.length()) {
                at++;
                c = text.charAt(at);
                if (c != '"') {
                    value.append('\\');
                }
            }
            if (c == '\n') {
                newLine();
            }
            value.append(c);
        }
        line = openLine;
        lineStart = openLineStart;
        unclosed(open, column);
    }

    /** Takes the rest of the line for the quoted text, to go on with the next line. */
    private void unclosed(int open, int column) {
        String message = "unclosed quote: add a closing \"";
        if (spanningQuote > 0) {
            message += ", perhaps to the quote that begins on line " + spanningQuote + " and spans lines";
        }
        problems.error(new Position(file, line), message);
        int end = text.indexOf('\n', open);
        at = end < 0 ? text.length() : end;
        add(text.substring(open + 1, at).strip(), line, column, true);
    }

    private int column() {
        return at - lineStart;
    }

    private void add(String word, int wordLine, int column, boolean quoted) {
        lexemes.add(new Lexeme(new Token(word, new Position(file, wordLine)), fresh, quoted, column));
        fresh = false;
    }

    /** White space as Go sees it: unlike Java's it includes the no-break spaces. */
    private static boolean isSpace(char c) {
        return (c >= '\t' && c <= '\r') || c == '\u0085' || Character.isSpaceChar(c);
    }
}
