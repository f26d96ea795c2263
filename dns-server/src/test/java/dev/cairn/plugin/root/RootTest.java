package dev.cairn.plugin.root;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RootTest {
    @TempDir
    Path directory;

    @Test
    void aDirectoryThatIsThereIsTakenSilently() throws Exception {
        try (TestServer server = TestServer.start(". {\n root " + directory + "\n whoami\n}")) {
            assertThat(server.log()).isEmpty();
        }
    }

    @Test
    void aDirectoryThatIsNotThereYetGivesAWarning() throws Exception {
        Path missing = directory.resolve("later");
        try (TestServer server = TestServer.start(". {\n root " + missing + "\n whoami\n}")) {
            assertThat(server.log()).containsExactly("[WARNING] Corefile:2: plugin/root: Root path does not exist: " + missing);
        }
    }

    @Test
    void aFileIsNoRoot() throws Exception {
        Path file = Files.createFile(directory.resolve("zone"));
        assertThat(TestServer.errorsOf(". {\n root " + file + "\n}")).singleElement().asString()
                .startsWith("Corefile:2: plugin/root: root path " + file + " is not a directory");
    }

    @Test
    void wantsOnePathOnce() throws Exception {
        assertThat(TestServer.errorsOf(". {\n root\n}")).singleElement().asString().endsWith("wants 1 argument, got 0; write: root PATH");
        assertThat(TestServer.errorsOf(". {\n root /\n root /\n}")).singleElement().asString()
                .contains("can only be used once per server block");
    }
}
