package dev.cairn.corefile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImportTest {

    @TempDir
    Path directory;

    private Path write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private Reading read(String corefile) throws IOException {
        Problems problems = new Problems();
        return new Reading(CorefileParser.parseFile(write("Corefile", corefile), problems), problems);
    }

    private List<String> messages(Reading reading) {
        return reading.messages().stream().map(message -> message.replace(directory + "/", "")).toList();
    }

    @Test
    void filesAreImportedAtTopLevelInBlocksAndInDirectives() throws IOException {
        write("servers", "b.org {\nerrors\n}\n(s) {\nready\n}\n");
        write("directives", "log\nhealth {\nlameduck 5s\n}\n");
        write("properties", "ttl 5\npods insecure");
        Reading reading = read("import servers\n. {\nimport directives\nkubernetes {\nimport properties\nfallthrough\n}\nimport s\n}");
        assertThat(messages(reading)).isEmpty();
        assertThat(reading.shown()).isEqualTo("b.org { errors } . { log; health { lameduck 5s }; kubernetes { ttl 5; pods insecure; "
            + "fallthrough }; ready }");
    }

    @Test
    void importedWordsKeepTheirFileAndLine() throws IOException {
        write("sub/more", "\nlog");
        Directive log = read(". {\nimport sub/more\n}").corefile().blocks().getFirst().directives().getFirst();
        assertThat(log.name().at()).isEqualTo(new Position(directory.resolve("sub/more").toString(), 2));
    }

    @Test
    void pathsStartFromTheImportingFile() throws IOException {
        write("sub/a", "import b");
        write("sub/b", "import ../c");
        write("c", "log");
        assertThat(read(". {\nimport sub/a\n}").shown()).isEqualTo(". { log }");
        assertThat(read(". {\nimport " + directory.resolve("c") + "\n}").shown()).isEqualTo(". { log }");
    }

    @Test
    void aSnippetIsPreferredToAFile() throws IOException {
        write("s", "errors");
        assertThat(read("(s) {\nlog\n}\n. {\nimport s\n}").shown()).isEqualTo(". { log }");
    }

    @Test
    void patternsMatchInOrderOfNamesAlsoDirectories() throws IOException {
        write("custom/b.override", "b");
        write("custom/a.override", "a");
        write("custom/.c.override", "c");
        write("custom/d.other", "d");
        write("other/x1.conf", "x1");
        assertThat(read(". {\nimport custom/*.override\n}").shown()).isEqualTo(". { c; a; b }");
        assertThat(read(". {\nimport *er/x?.conf\n}").shown()).isEqualTo(". { x1 }");
    }

    @Test
    void aFileOfAPatternMayImportTheNext() throws IOException {
        write("custom/a.conf", "a\nimport b.conf");
        write("custom/b.conf", "b");
        Reading reading = read(". {\nimport custom/*.conf\n}");
        assertThat(messages(reading)).isEmpty();
        assertThat(reading.shown()).isEqualTo(". { a; b; b }");
    }

    @Test
    void anEmptyPatternIsAWarningAndAMissingFileAnError() throws IOException {
        Reading warned = read(". {\nimport custom/*.override\n}");
        assertThat(warned.problems().hasErrors()).isFalse();
        assertThat(messages(warned)).containsExactly("Corefile:2: no files match import pattern custom/*.override");
        Reading failed = read(". {\nimport custom/x\n}");
        assertThat(failed.problems().hasErrors()).isTrue();
        assertThat(messages(failed)).containsExactly("Corefile:2: cannot import \"custom/x\": there is neither a snippet (custom/x) "
            + "above this line "
            + "nor a file custom/x; define the snippet or correct the path");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*.conf", "??", "[ab].conf"})
    void patternsWithMoreWildcardsAreRefused(String pattern) throws IOException {
        assertThat(messages(read(". {\nimport " + pattern + "\n}"))).singleElement().asString()
            .startsWith("Corefile:2: import pattern \"" + pattern + "\" has").endsWith("only one * and one ? are allowed");
    }

    @Test
    void cyclesAreNamedWhereTheyClose() throws IOException {
        write("a", "import b");
        write("b", "errors\nimport a");
        assertThat(messages(read(". {\nimport a\n}"))).containsExactly("b:2: import cycle: file a imports itself, perhaps by way of "
            + "others: remove this import");
        assertThat(messages(read("import Corefile"))).containsExactly(
            "Corefile:1: import cycle: file Corefile imports itself, perhaps by way of others: remove this import");
    }

    @Test
    void aServerBlockImportedIntoABlockIsExplained() throws IOException {
        write("custom/a.override", "a.org {\nlog\n}\n");
        Reading reading = read(". {\nimport custom/*.override\nerrors\n}\nb.org {\nlog\n}\n");
        assertThat(messages(reading)).containsExactly("custom/a.override:1: server block or snippet \"a.org\" stands inside the block of "
            + "\".\" opened at Corefile:1: move it out, by an import outside of the block");
        assertThat(reading.shown()).isEqualTo(". { errors } b.org { log }");
    }

    @Test
    void directoriesAndOtherTextsAreOneClearErrorEach() throws IOException {
        Files.createDirectories(directory.resolve("sub"));
        Files.write(directory.resolve("latin1"), "log\n# gr\u00fcn\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(messages(read(". {\nimport sub\nimport latin1\nimport dangling\nlog\n}"))).hasSize(3)
            .contains("latin1:2: not UTF-8 text: save the file in UTF-8")
            .anyMatch(message -> message.startsWith("Corefile:2: cannot read sub: it is a directory"));
        Problems problems = new Problems();
        assertThat(CorefileParser.parseFile(directory.resolve("none"), problems).blocks()).isEmpty();
        assertThat(problems.all()).singleElement().asString().contains("none:1: cannot read").contains("there is no such file");
    }

    @Test
    void theDigestFollowsImportedWords() throws IOException {
        write("a", "log");
        String digest = read(". {\nimport a\n}").corefile().digest();
        assertThat(read(". {\nlog\n}").corefile().digest()).isEqualTo(digest);
        write("a", "errors");
        assertThat(read(". {\nimport a\n}").corefile().digest()).isNotEqualTo(digest);
    }
}
