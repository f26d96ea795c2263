package dev.cairn.plugin.multisocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.listen.Engines;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MultisocketTest {
    @ParameterizedTest
    @CsvSource({"multisocket 1,1", "multisocket 3,3"})
    void opensThatManySockets(String directive, int sockets) throws Exception {
        try (TestServer server = TestServer.start(". {\n bind 127.0.0.1\n " + directive + "\n whoami\n}", Engines.Choice.EPOLL)) {
            assertThat(udpSocketsOn(server.port())).isEqualTo(sockets);
        }
    }

    @Test
    void opensOnePerProcessorByDefault() throws Exception {
        try (TestServer server = TestServer.start(". {\n bind 127.0.0.1\n multisocket\n whoami\n}", Engines.Choice.EPOLL)) {
            assertThat(udpSocketsOn(server.port())).isEqualTo(Runtime.getRuntime().availableProcessors());
        }
    }

    @Test
    void theFirstBlockOfAnAddressDecides() throws Exception {
        String corefile = """
                a {
                    bind 127.0.0.1
                    whoami
                }
                b {
                    bind 127.0.0.1
                    multisocket 3
                }
                c {
                    bind 127.0.0.1
                    multisocket 5
                }
                """;
        try (TestServer server = TestServer.start(corefile, Engines.Choice.EPOLL)) {
            assertThat(udpSocketsOn(server.port())).isEqualTo(3);
        }
    }

    @Test
    void aReloadSaysThatItTakesARestart() throws Exception {
        try (TestServer server = TestServer.start(". {\n bind 127.0.0.1\n multisocket 2\n whoami\n}", Engines.Choice.EPOLL)) {
            assertThat(server.reload(". {\n bind 127.0.0.1\n multisocket 4\n whoami\n}")).isTrue();
            assertThat(server.logLinesWith("goes on with 2 sockets: multisocket takes effect at a restart")).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            multisocket 0               | 2 | "0" is not a whole number from 1 to 1024
            multisocket 1025            | 2 | "1025" is not a whole number from 1 to 1024
            multisocket many            | 2 | "many" is not a whole number from 1 to 1024
            multisocket 1 2             | 2 | wants at most 1 argument, got 2
            multisocket;multisocket     | 3 | can only be used once per server block
            """)
    void saysWhatIsWrongAndWhatToWrite(String directive, int line, String message) throws Exception {
        assertThat(TestServer.errorsOf(". {\n" + directive.replace(';', '\n') + "\n}")).singleElement().asString()
                .startsWith("Corefile:" + line + ": plugin/multisocket").contains(message);
    }

    /** What the kernel says; Netty binds IPv4 addresses by IPv6 sockets where it can. */
    private static long udpSocketsOn(int port) throws IOException {
        Path udp6 = Path.of("/proc/net/udp6");
        Assumptions.assumeTrue(Files.exists(udp6), "no /proc/net/udp6");
        String suffix = String.format(":%04X ", port).toUpperCase(Locale.ROOT);
        long count = 0;
        for (Path table : new Path[] {Path.of("/proc/net/udp"), udp6}) {
            count += Files.readAllLines(table).stream().filter(line -> line.contains(suffix)).count();
        }
        return count;
    }
}
