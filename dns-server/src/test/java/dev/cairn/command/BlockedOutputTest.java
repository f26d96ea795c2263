package dev.cairn.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.Knot;
import dev.cairn.testing.TestServer;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Type;

/** Standard output is a pipe that nobody reads: the server serves, takes a new Corefile and ends as if somebody did. */
class BlockedOutputTest {
    private static final int SIGUSR1 = 10;

    /** Fills the pipe that is its standard output and becomes the command that follows. */
    private static final String FILL = """
            import fcntl, os, sys
            flags = fcntl.fcntl(1, fcntl.F_GETFL)
            fcntl.fcntl(1, fcntl.F_SETFL, flags | os.O_NONBLOCK)
            for size in 4096, 1:
                try:
                    while True:
                        os.write(1, b"-" * size)
                except BlockingIOError:
                    pass
            fcntl.fcntl(1, fcntl.F_SETFL, flags)
            os.execvp(sys.argv[1], sys.argv[1:])
            """;

    @TempDir
    Path directory;

    private Path corefile(String plugins) throws Exception {
        return Files.writeString(directory.resolve("Corefile"), ". {\n errors\n log\n " + plugins + "\n}\n");
    }

    private void takesANewCorefileAndEnds(CairnProcess cairn, int port) throws Exception {
        corefile("hosts {\n  192.0.2.1 a.example\n }");
        cairn.signal("USR1");
        await().until(() -> TestServer.answers(TestServer.ask(port, TestServer.query("a.example", Type.A), false))
                .equals(List.of("a.example. 3600 IN A 192.0.2.1")));
        cairn.signal("TERM");
        assertThat(cairn.awaitExit()).isZero();
    }

    @Test
    void aReaderThatGoesToSleepHoldsUpNothing() throws Exception {
        try (CairnProcess cairn = CairnProcess.start(directory, "-conf", corefile("whoami").toString(), "-p", "0")) {
            int port = cairn.port();
            cairn.stopReading();
            String name = ("x".repeat(60) + ".").repeat(4); // a thousand lines with such a name are more than a pipe holds
            for (int i = 0; i < 1000; i++) {
                assertThat(TestServer.ask(port, TestServer.query(name, Type.A), false).getRcode()).isZero();
            }
            takesANewCorefileAndEnds(cairn, port);
            assertThat(cairn.output()).hasSizeLessThan(1000).filteredOn(line -> line.contains("\"A IN " + name)).isNotEmpty();
        }
    }

    @Test
    void aPipeThatIsFullFromTheStartHoldsUpNothing() throws Exception {
        int port = Knot.freePort();
        try (CairnProcess cairn = CairnProcess.startUnread(
                List.of("python3", "-c", FILL), directory, "-conf", corefile("whoami").toString(), "-p", Integer.toString(port))) {
            await().until(() -> catches(cairn.pid(), SIGUSR1));
            takesANewCorefileAndEnds(cairn, port);
            assertThat(cairn.output()).noneMatch(line -> line.contains("Cairn-"));
        }
    }

    /** Whether a process has a handler for a signal, which the JVM has not for this one. */
    private static boolean catches(long pid, int signal) throws Exception {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                .filter(line -> line.startsWith("SigCgt:"))
                .anyMatch(line -> new BigInteger(line.substring("SigCgt:".length()).strip(), 16).testBit(signal - 1));
    }
}
