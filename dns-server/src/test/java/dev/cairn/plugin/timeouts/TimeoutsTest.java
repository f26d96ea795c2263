package dev.cairn.plugin.timeouts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.plugin.ListenSettings;
import dev.cairn.testing.TcpClient;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

class TimeoutsTest {
    @ParameterizedTest
    @CsvSource({"read 1s", "read 1", "idle 1s", "idle 1000ms"})
    void endsConnectionsInTheTimeGiven(String line) throws Exception {
        boolean idle = line.startsWith("idle");
        String other = idle ? "read 24h" : "idle 24h";
        try (TestServer server = TestServer.start(". {\n whoami\n timeouts {\n " + line + "\n " + other + "\n }\n}")) {
            byte[] query = query();
            // A busy machine may need more than the second to send the first query: then the client tries again.
            long millis = await().ignoreExceptionsInstanceOf(IOException.class).until(() -> {
                try (TcpClient client = new TcpClient(server.port())) {
                    client.send(query);
                    assertThat(client.read().getRcode()).isZero();
                    client.send(idle ? new byte[0] : Arrays.copyOf(query, 5));
                    return client.millisToClose();
                }
            }, _ -> true);
            assertThat(millis).isGreaterThan(900);
        }
    }

    @ParameterizedTest
    @CsvSource({"read 2s, 2, 5, 10", "write 2m, 3, 120, 10", "idle 1000ms, 3, 5, 1", "idle 7, 3, 5, 7"})
    void setsTheOneThatIsNamed(String line, int read, int write, int idle) throws Exception {
        try (TestChain chain = new TestChain("timeouts {\n" + line + "\n}", List.of(new TimeoutsSetup()))) {
            ListenSettings settings = chain.block().listenSettings();
            assertThat(List.of(settings.readTimeout(), settings.writeTimeout(), settings.idleTimeout()))
                    .containsExactly(Duration.ofSeconds(read), Duration.ofSeconds(write), Duration.ofSeconds(idle));
        }
    }

    @Test
    void endsAConnectionAfterTheLastQueryAllowed() throws Exception {
        try (TestServer server = TestServer.start(". {\n whoami\n timeouts {\n maxtcpqueries 2\n read 24h\n idle 24h\n }\n}");
                TcpClient client = new TcpClient(server.port())) {
            for (int i = 0; i < 2; i++) {
                client.send(query());
                assertThat(client.read().getRcode()).isZero();
            }
            client.millisToClose();
        }
    }

    @ParameterizedTest
    @CsvSource({"-1", "1000000"})
    void allowsManyQueries(String maximum) throws Exception {
        try (TestServer server = TestServer.start(". {\n whoami\n timeouts {\n maxtcpqueries " + maximum + "\n }\n}");
                TcpClient client = new TcpClient(server.port())) {
            for (int i = 0; i < 50; i++) {
                client.send(query());
                assertThat(client.read().getRcode()).isZero();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            timeouts                               | 2 | names no timeout: write one or more of read, write, idle, maxtcpqueries
            timeouts {;}                           | 2 | names no timeout
            timeouts 5s {;read 5s;}                | 2 | wants no arguments, got 1
            timeouts {;read;}                      | 3 | wants 1 argument, got 0; write: read DURATION
            timeouts {;read 999ms;}                | 3 | 999ms is out of range: write a duration from 1s to 24h0m0s
            timeouts {;idle 25h;}                  | 3 | 25h is out of range
            timeouts {;write soon;}                | 3 | "soon" is not a duration
            timeouts {;maxtcpqueries 0;}           | 3 | "0" is not a whole number of at least 1
            timeouts {;maxtcpqueries -2;}          | 3 | "-2" is not a whole number of at least 1
            timeouts {;raed 5s;}                   | 3 | unknown property "raed", did you mean read?
            """)
    void saysWhatIsWrongAndWhatToWrite(String directive, int line, String message) throws Exception {
        assertThat(TestServer.errorsOf(". {\n" + directive.replace(';', '\n') + "\n}")).singleElement().asString()
                .startsWith("Corefile:" + line + ": plugin/timeouts").contains(message);
    }

    private static byte[] query() throws IOException {
        Message query = TestServer.query("example.org", Type.A);
        return TcpClient.frames(query);
    }
}
