package dev.cairn.corefile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CorefileParserTest {

    static Stream<Arguments> language() {
        return Stream.of(
            arguments("words are separated by white space", ". {\n\tforward  .\t1.1.1.1\n}", ". { forward . 1.1.1.1 }"),
            arguments("no-break space is white space", ".\u00a0{\nerrors\u3000stdout\n}", ". { errors stdout }"),
            arguments("a quoted word keeps its spaces", ". {\nlog . \"{remote} {name}\"\n}", ". { log . <{remote} {name}> }"),
            arguments("a quoted word may be empty", ". {\nlog \"\"\n}", ". { log <> }"),
            arguments("only the quote can be escaped", ". {\nlog \"a\\\"b\\n\\\\\"\n}", ". { log a\"b\\n\\\\ }"),
            arguments("a quote may span lines", ". {\nlog \"a\nb\" c\nerrors\n}", ". { log <a\nb> c; errors }"),
            arguments("a quote inside a word is a letter", ". {\nlog a\"b c\"\n}", ". { log a\"b c\" }"),
            arguments("a word may follow a closing quote at once", ". {\nlog \"a\"b\n}", ". { log a b }"),
            arguments("carriage returns are ignored", ". {\r\nerrors\r\nlog\r\n}\r\n", ". { errors; log }"),
            arguments("carriage returns inside words are ignored", ". {\nerr\rors\n}", ". { errors }"),
            arguments("a byte order mark is skipped", "\ufeff. {\nerrors\n}", ". { errors }"),
            arguments("a comment reaches to the end of the line", "# a {\n. { # b }\nerrors # c d\n}\n#", ". { errors }"),
            arguments("a comment glued to a word ends at the next space", ". {\nfoo#bar baz\n}", ". { foo baz }"),
            arguments("a comment glued to the last word ends with the line", ". {\nfoo#bar\nbaz\n}", ". { foo; baz }"),
            arguments("a comment glued to a quote reaches to the end of the line", ". {\nfoo \"a\"#b c\n}", ". { foo a }"),
            arguments("a number sign in quotes is a letter", ". {\nlog \"a # b\"\n}", ". { log <a # b> }"),
            arguments("keys are separated by spaces", "a.org b.org {\n}", "a.org b.org {  }"),
            arguments("keys are separated by commas", "a.org, b.org , c.org {\n}", "a.org b.org c.org {  }"),
            arguments("a trailing comma continues the keys on the next line", "a.org,\nb.org,\n\nc.org {\nlog\n}",
                "a.org b.org c.org { log }"),
            arguments("the brace of a server block may stand on the next line", "a.org\n{\nlog\n}", "a.org { log }"),
            arguments("several blocks stand in a row", "a.org {\nlog\n}\nb.org {\nerrors\n}", "a.org { log } b.org { errors }"),
            arguments("the next block may begin behind a brace", "a.org {\nlog\n} b.org {\nerrors\n}", "a.org { log } b.org { errors }"),
            arguments("an unbraced block reaches to the end", ".\nlog\nhealth {\nlameduck 5s\n}\nerrors",
                ". { log; health { lameduck 5s }; errors }"),
            arguments("an unbraced block may follow braced ones", "a.org {\nlog\n}\nb.org\nerrors", "a.org { log } b.org { errors }"),
            arguments("keys alone are a block", "a.org:53", "a.org:53 {  }"),
            arguments("an empty file has no blocks", " \n# nothing\n", ""),
            arguments("blocks nest", ". {\na {\nb c {\nd\n}\ne\n}\n}", ". { a { b c { d }; e } }"),
            arguments("a nested block may be empty", ". {\na {\n}\n}", ". { a {  } }"),
            arguments("blocks may stand on one line", ". { a { b c } }", ". { a { b c } }"),
            arguments("repeats stay in order", ". {\nb 1\na\nb 2\n}", ". { b 1; a; b 2 }"),
            arguments("placeholders, templates and patterns keep their braces",
                ". {\nlog . {common}\nrewrite name regex a{2} {1}\nanswer {{ .Name }} 1\n}",
                ". { log . {common}; rewrite name regex a{2} {1}; answer {{ .Name }} 1 }"),
            arguments("a snippet is pasted where it is imported", "(s) {\nlog\nerrors\n}\n. {\nwhoami\nimport s\nloop\n}",
                ". { whoami; log; errors; loop }"),
            arguments("a snippet is pasted into a directive's block", "(s) {\nttl 5\n}\n. {\nk a {\nimport s\nb\n}\n}",
                ". { k a { ttl 5; b } }"),
            arguments("a snippet may hold server blocks", "(s) {\na.org {\nlog\n}\n}\nimport s", "a.org { log }"),
            arguments("a snippet may hold keys", "(s) {\na.org,\n}\nimport s\nb.org {\nlog\n}", "a.org b.org { log }"),
            arguments("a snippet may import another", "(a) {\nlog\n}\n(b) {\nimport a\nerrors\n}\n. {\nimport b\n}", ". { log; errors }"),
            arguments("a one-line snippet is a line of its own each time", "(s) { p 1 }\n. {\nk {\nimport s\nimport s\n}\n}",
                ". { k { p 1; p 1 } }"),
            arguments("import elsewhere on a line is a word", ". {\nlog import x\n}", ". { log import x }"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("language")
    void theLanguageIsReadAsCoreDnsReadsIt(String rule, String text, String shown) {
        Reading reading = Reading.of(text);
        assertThat(reading.messages()).as(rule).isEmpty();
        assertThat(reading.shown()).isEqualTo(shown);
    }

    static Stream<Arguments> variables() {
        return Stream.of(
            arguments("{$Z}:{$P} {\nlog\n}", "a.org:5300 { log }"),
            arguments("{%Z%}:{%P%} {\nlog\n}", "a.org:5300 { log }"),
            arguments(". {\n{$D} x{$P}y{$P}\n}", ". { errors x5300y5300 }"),
            arguments(". {\nlog \"{$Z} {$UNSET}\" {$UNSET}\n}", ". { log <a.org > <> }"),
            arguments(". {\nlog {$SPACES} {$} {$Z {%%}\n}", ". { log <a b> {$} {$Z {%%} }"),
            arguments(". {\nlog {$INDIRECT}\n}", ". { log a.org }"),
            arguments(". {\nlog {%WINDOWS%}\n}", ". { log a.org }"),
            arguments("(s) {\nlog\n}\n. {\nimport {$S}\n}", ". { log }"));
    }

    @ParameterizedTest
    @MethodSource("variables")
    void variablesAreReplacedInAnyWord(String text, String shown) {
        Map<String, String> environment = Map.of("Z", "a.org", "P", "5300", "D", "errors", "SPACES", "a b", "INDIRECT", "{$Z}",
            "WINDOWS", "{$Z}", "S", "s");
        Reading reading = Reading.of("/nowhere/Corefile", text, environment);
        assertThat(reading.messages()).isEmpty();
        assertThat(reading.shown()).isEqualTo(shown);
    }

    @Test
    void aVariableThatContainsItselfIsAnError() {
        Reading reading = Reading.of("Corefile", ". {\nlog {$A}\n}", Map.of("A", "{$A}{$A}"));
        assertThat(reading.messages()).containsExactly("Corefile:2: variable A contains itself: set it to a plain value");
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
            arguments(". {\nlog \"a b\nerrors\n}", "Corefile:2: unclosed quote: add a closing \""),
            arguments("example.org{\nlog\n}", "Corefile:1: no space before { in \"example.org{\": write: example.org {"),
            arguments(". {\nhealth{\nlameduck 5s\n}\n}", "Corefile:2: no space before { in \"health{\": write: health {"),
            arguments(". {\nhealth {lameduck 5s\n}\n}", "Corefile:2: no space after { in \"{lameduck\": end the line with { and write "
                + "lameduck on the next one"),
            arguments(". {\nhealth {\nlameduck 5s}\n}", "Corefile:3: } sticks to a word in \"5s}\": write } on a line of its own"),
            arguments(". {\nlog\n}a.org {\nlog\n}", "Corefile:3: } sticks to a word in \"}a.org\": write } on a line of its own"),
            arguments("}\n. {\nlog\n}", "Corefile:1: unexpected }: no block is open here; remove it, or add the { it belongs to"),
            arguments(".\nlog\n}", "Corefile:3: unexpected }: the block of \".\" has no {; write at Corefile:1: . {"),
            arguments(". {\nlog\n", "Corefile:1: the block of \".\" opened here is not closed: add a } on a line of its own"),
            arguments(". {\n  health {\n    lameduck 5s\n  log\n}",
                "Corefile:1: the block of \".\" opened here is not closed: add a } on a line of its own"
                + "; perhaps it is the block of \"health\" opened at Corefile:2 that lacks its }, because the } on line 5 ended it"),
            arguments(". {\nlog\na.org {\nlog\n}", "Corefile:3: missing } before \"a.org\": close the block of \".\" opened at Corefile:1"),
            arguments(". {\n  a.org {\n  log\n  }\n}", "Corefile:2: server block or snippet \"a.org\" stands inside the block of "
                + "\".\" opened at Corefile:1: move it out"),
            arguments("a.org\nlog\nb.org {\nlog\n}", "Corefile:1: \"a.org\" has no { }, so it reaches to the end of the file, but "
                + "\"b.org\" begins at "
                + "Corefile:3: write: a.org { ... }, or end the line with a comma to add more zones"),
            arguments("{\nlog\n}", "Corefile:1: a server block needs a zone before its {: write: . {"),
            arguments("{$NONE} {\nlog\n}", "Corefile:1: server block is left out because its zone is empty: set the variable in "
                + "\"{$NONE}\""),
            arguments("a.org, {\nlog\n}", "Corefile:1: another zone must follow the comma after \"a.org,\": remove the comma or add "
                + "the zone"),
            arguments("a.org,", "Corefile:1: another zone must follow the comma after \"a.org,\": remove the comma or add the zone"),
            arguments("a.org,b.org {\n}", "Corefile:1: no space after the comma in \"a.org,b.org\", which CoreDNS takes for one zone: "
                + "write: a.org, b.org"),
            arguments(". {\nhealth\n{\nlameduck 5s\n}\n}", "Corefile:3: the { must stand at the end of the line of its directive, at "
                + "Corefile:2: write: health ... {"),
            arguments(". {\n{\nlog\n}\n}", "Corefile:2: unexpected {: a block belongs at the end of a directive's line; write: NAME {"),
            arguments(". {\na {\n} b\n}", "Corefile:3: unexpected \"b\" after }: write it on a line of its own"),
            arguments(". {\n{$NONE} a\n}", "Corefile:2: the directive's name is empty: set the variable in \"{$NONE}\" or remove the line"),
            arguments(". {\nimport\n}", "Corefile:2: import wants 1 argument, got 0: write: import SNIPPET or import FILE, each on "
                + "its own line"),
            arguments(". {\nimport a b\n}", "Corefile:2: import wants 1 argument, got 2: write: import SNIPPET or import FILE, each "
                + "on its own line"),
            arguments(". {\nimport a {\nb\n}\n}", "Corefile:2: import takes no block: write: import SNIPPET or import FILE"),
            arguments(". {\nimport {$NONE}\n}", "Corefile:2: import of nothing: write: import SNIPPET or import FILE, and see that "
                + "its variables are set"),
            arguments("() {\nlog\n}", "Corefile:1: the snippet has no name: write: (NAME) {"),
            arguments("(s)\nlog\n", "Corefile:1: snippet (s) needs a block: write: (s) {"),
            arguments("(s) {\nlog\n", "Corefile:1: the block of \"(s)\" opened here is not closed: add a } on a line of its own"),
            arguments("(s) {\nlog\n}\n(s) {\nlog\n}", "Corefile:4: snippet (s) is already defined at Corefile:1: choose another name"),
            arguments(". {\nimport s\n}\n(s) {\nlog\n}", "Corefile:2: snippet (s) is defined only at Corefile:4: move it above this line"),
            arguments("(common) {\nlog\n}\n. {\nimport comon\n}",
                "Corefile:5: cannot import \"comon\": there is neither a snippet (comon) above this line nor a file "
                + "comon; did you mean: import common"),
            arguments("(s) {\nimport s\n}\n. {\nimport s\n}", "Corefile:2: import cycle: snippet (s) imports itself, perhaps by way "
                + "of others: remove this import"),
            arguments("(a) {\nimport b\n}\n(b) {\nimport a\n}\n. {\nimport a\n}",
                "Corefile:5: import cycle: snippet (a) imports itself, perhaps by way of others: remove this import"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeGivesOneMessageThatSaysWhatToWrite(String text, String message) {
        assertThat(Reading.of(text).messages()).containsExactly(message);
    }

    @Test
    void sevenMistakesGiveSevenMessagesAndTheRestIsUnderstood() {
        Reading reading = Reading.of("""
            (common) {
                errors
            }
            example.org{
                import comon
                log
            }
            }
            example.net, {
                whoami
            .:53 {
                health
                {
                    lameduck 5s
                }
                log "unclosed
            }
            """);
        assertThat(reading.messages()).extracting(message -> message.substring(0, message.indexOf(' ', message.indexOf(' ') + 1)))
            .containsExactly("Corefile:4: no", "Corefile:5: cannot", "Corefile:8: unexpected", "Corefile:9: another",
            "Corefile:11: missing",
                "Corefile:13: the", "Corefile:16: unclosed");
        assertThat(reading.shown()).isEqualTo("example.org { log } example.net { whoami } .:53 { health { lameduck 5s }; log unclosed }");
    }

    @Test
    void manyImportsEndWithOneError() {
        StringBuilder text = new StringBuilder("(s0) {\nlog\n}\n");
        for (int i = 1; i <= 20; i++) {
            text.append("(s%d) {\nimport s%d\nimport s%d\n}\n".formatted(i, i - 1, i - 1));
        }
        assertThat(Reading.of(text + ". {\nimport s20\n}\n").messages()).singleElement().asString().contains("more than 10000 imports "
            + "of snippets");
    }

    @Test
    void deepNestingIsAnErrorAndNotAStackOverflow() {
        Reading reading = Reading.of(". {\n" + "a {\n".repeat(50_000) + "}\n".repeat(50_001));
        assertThat(reading.messages()).containsExactly("Corefile:65: blocks are nested more than 64 deep: close some of them");
    }

    @Test
    void anyWordsInAnyOrderAreReadWithoutException() {
        List<String> words = List.of("{", "}", "\n", "\n", "\n", "import", "(a)", "(b)", "a", "b", ".", "example.org", "x{", "}y", "{z",
            "\"", "\\\"", "#",
            "{$A}", "{%B%}", ",", "a,b,", "*", "*?[", "\u0000", "\ud800", "\r", "/", "/*.none", "..", "10.0.0.0/8", "tls://:53");
        Random random = new Random(42);
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(60); i >= 0; i--) {
                text.append(words.get(random.nextInt(words.size()))).append(random.nextInt(4) == 0 ? "" : " ");
            }
            Reading reading = Reading.of("/nowhere/Corefile", text.toString(), Map.of("A", "{$A}", "B", "}"));
            ZoneKeys.reportDuplicates(reading.corefile().blocks(), 53, reading.problems());
            reading.corefile().blocks().forEach(block -> block.keys().forEach(key -> ZoneKeys.of(key, 53, reading.problems())));
            assertThat(reading.corefile().digest()).hasSize(128);
        }
    }

    @Test
    void theDigestFollowsTheWordsAndNothingElse() {
        String digest = digest(". {\nlog a b\nhealth {\nlameduck 5s\n}\n}");
        assertThat(digest).matches("[0-9a-f]{128}");
        assertThat(digest("# comment\n\n.   {\n  log a   \"b\" # more\n\n health { \n lameduck 5s\n}\n}\n")).isEqualTo(digest);
        assertThat(Stream.of(". {\nlog a c\nhealth {\nlameduck 5s\n}\n}", ". {\nlog ab\nhealth {\nlameduck 5s\n}\n}",
            ".:54 {\nlog a b\nhealth {\nlameduck 5s\n}\n}", ". {\nlog a\nb\nhealth {\nlameduck 5s\n}\n}",
            ". {\nlog a b\nhealth\nlameduck 5s\n}", ". {\nlog a b\nhealth {\nlameduck 5s\n}\n}\n}").map(CorefileParserTest::digest)
            .distinct().filter(other -> !other.equals(digest))).hasSize(6);
    }

    private static String digest(String text) {
        return Reading.of(text).corefile().digest();
    }

    @Test
    void wordsKnowTheirLines() {
        ServerBlock block = Reading.of("\n(s) {\n\nlog\n}\na.org,\nb.org {\nimport s\nx \"1\n2\" 3\ny\n}").corefile().blocks().getFirst();
        assertThat(block.at()).hasToString("/nowhere/Corefile:6");
        assertThat(block.keys()).extracting(key -> key.at().line()).containsExactly(6, 7);
        assertThat(block.directives()).extracting(line -> line.name().at().line()).containsExactly(4, 9, 11);
        assertThat(block.directives().get(1).args()).extracting(arg -> arg.at().line()).containsExactly(9, 10);
    }
}
