package dev.cairn.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.manual.Completion;
import dev.cairn.manual.FlagsPage;
import dev.cairn.manual.Kept;
import dev.cairn.manual.ManPage;
import dev.cairn.testing.Programs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kept pages about {@code cairn-node} are what the code says; {@code ./gradlew docs} writes them anew by these tests. */
class ManualTest {
    private static final Path ROOT = Path.of(System.getProperty("cairn.root"));
    private static final String SHARE = "node/src/dist/share/";

    @TempDir
    Path directory;

    @Test
    void the_page_of_flags_is_what_the_command_takes() throws IOException {
        Kept.check("docs/reference/cairn-node-flags.md", FlagsPage.of(CairnNode.commandLine().getCommandSpec()));
    }

    @Test
    void the_manual_page_is_what_the_command_takes_and_can_be_set() throws Exception {
        String file = SHARE + "man/man8/cairn-node.8";
        Kept.check(file, ManPage.of(CairnNode.commandLine().getCommandSpec(), 8));
        Programs.Result complaints = Programs.run("groff", "-man", "-ww", "-z", "-Tutf8", ROOT.resolve(file).toString());
        assertThat(complaints).isEqualTo(new Programs.Result(0, ""));
    }

    @Test
    void bash_completes_flags() throws Exception {
        String file = SHARE + "bash-completion/completions/cairn-node";
        Kept.check(file, Completion.of(CairnNode.commandLine()));
        Path script = Files.writeString(directory.resolve("complete.sh"), Completion.script("cairn-node"));
        Programs.Result result = Programs.run("bash", script.toString(), ROOT.resolve(file).toString(), "cairn-node", "--proxy-m");
        assertThat(result).isEqualTo(new Programs.Result(0, "--proxy-mode\n"));
    }

    @Test
    void the_version_is_the_one_of_the_build() {
        StringWriter out = new StringWriter();
        assertThat(CairnNode.commandLine().setOut(new PrintWriter(out, true)).execute("--version")).isZero();
        assertThat(out.toString().lines().toList()).hasSize(2)
                .satisfies(lines -> assertThat(lines.getFirst()).isEqualTo("cairn-node-" + System.getProperty("cairn.version")))
                .satisfies(lines -> assertThat(lines.getLast()).matches("linux/\\w+, java\\d+, ([0-9a-f]{7,}(-changed)?|unknown)"));
    }
}
