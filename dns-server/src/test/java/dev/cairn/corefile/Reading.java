package dev.cairn.corefile;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Parses a text and shows the result on one line, for tables: {@code a b { errors; health { lameduck 5s } }}. */
record Reading(Corefile corefile, Problems problems) {

    static Reading of(String text) {
        return of("/nowhere/Corefile", text, Map.of());
    }

    static Reading of(String file, String text, Map<String, String> environment) {
        Problems problems = new Problems();
        return new Reading(CorefileParser.parse(file, text, environment::get, problems), problems);
    }

    String shown() {
        return corefile.blocks().stream().map(block -> words(block.keys()) + lines(block.directives())).collect(Collectors.joining(" "));
    }

    List<String> messages() {
        return problems.all().stream().map(problem -> problem.toString().replace("/nowhere/", "")).toList();
    }

    private static String lines(List<Directive> lines) {
        return " { " + lines.stream().map(Reading::line).collect(Collectors.joining("; ")) + " }";
    }

    private static String line(Directive line) {
        String args = line.args().isEmpty() ? "" : " " + words(line.args());
        return word(line.name()) + args + (line.hasBlock() ? lines(line.block()) : "");
    }

    private static String words(List<Token> tokens) {
        return tokens.stream().map(Reading::word).collect(Collectors.joining(" "));
    }

    /** Words that could be misread are shown in angle brackets. */
    private static String word(Token token) {
        boolean plain = !token.text().isEmpty() && token.text().chars().noneMatch(Character::isWhitespace);
        return plain ? token.text() : "<" + token.text() + ">";
    }
}
