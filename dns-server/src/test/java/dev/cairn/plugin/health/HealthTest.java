package dev.cairn.plugin.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.cairn.http.HttpEndpoints;
import dev.cairn.http.HttpReply;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.testing.HttpGet;
import dev.cairn.testing.TestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Type;

class HealthTest {
    @Test
    void saysOkAndOnlyAtItsPath() throws Exception {
        try (TestServer server = TestServer.start(". {\n whoami\n health 127.0.0.1:0\n}")) {
            URI health = server.http("/health");
            assertThat(HttpGet.of(health)).isEqualTo(new HttpGet(200, "OK"));
            assertThat(HttpGet.of(health.resolve("/")).status()).isEqualTo(404);
        }
    }

    @Test
    void keepsItsPortOverAReload() throws Exception {
        try (TestServer server = TestServer.start(". {\n whoami\n health 127.0.0.1:0\n}")) {
            URI health = server.http("/health");
            assertThat(server.reload(". {\n whoami\n health 127.0.0.1:" + health.getPort() + " {\n lameduck 0s\n}\n}")).isTrue();
            assertThat(server.http("/health")).isEqualTo(health);
            assertThat(HttpGet.of(health).body()).isEqualTo("OK");

            assertThat(server.reload(". {\n whoami\n}")).isTrue();
            assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> HttpGet.of(health));
        }
    }

    @Test
    void aTakenPortKeepsTheOldConfigurationWithItsEndpoint() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TestServer server = TestServer.start(". {\n whoami\n health 127.0.0.1:0\n}")) {
            assertThat(server.reload(". {\n whoami\n health 127.0.0.1:" + taken.getLocalPort() + "\n}")).isFalse();
            assertThat(HttpGet.of(server.http("/health")).body()).isEqualTo("OK");
            assertThat(server.logLinesWith("is in use")).hasSize(1);
        }
    }

    @Test
    void asksItselfEverySecond() throws Exception {
        try (TestServer server = TestServer.start(". {\n whoami\n health 127.0.0.1:0\n}")) {
            await().untilAsserted(() -> assertThat(server.metrics())
                    .containsPattern("coredns_health_request_duration_seconds_count [1-9]")
                    .contains("coredns_health_request_duration_seconds_bucket{le=\"0.00025\"}")
                    .contains("coredns_health_request_duration_seconds_bucket{le=\"2.5\"}")
                    .contains("coredns_health_request_failures_total 0\n"));
        }
    }

    @Test
    void aFailedProbeIsCounted() throws Exception {
        MetricRegistry metrics = new MetricRegistry();
        try (Socket silent = new Socket()) {
            silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)); // has the port, but does not listen
            new HealthProbe((InetSocketAddress) silent.getLocalSocketAddress(), "/health", metrics).ask();
        }
        assertThat(metrics.scrape())
                .contains("coredns_health_request_failures_total 1\n")
                .contains("coredns_health_request_duration_seconds_count 1\n");
    }

    @Test
    void itsProbeKeepsItsConnectionAndMakesAnotherWhenThatIsClosed() throws Exception {
        MetricRegistry metrics = new MetricRegistry();
        List<String> connections = new CopyOnWriteArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                while (!server.isClosed()) {
                    twoReplies(server, connections);
                }
            });
            HealthProbe probe = new HealthProbe((InetSocketAddress) server.getLocalSocketAddress(), "/health", metrics);
            for (int i = 0; i < 6; i++) {
                probe.ask();
            }
        }
        assertThat(connections).containsExactly("GET /health HTTP/1.1", "GET /health HTTP/1.1", "GET /health HTTP/1.1");
        assertThat(metrics.scrape())
                .contains("coredns_health_request_failures_total 0\n")
                .contains("coredns_health_request_duration_seconds_count 6\n");
    }

    private static void twoReplies(ServerSocket server, List<String> connections) {
        try (Socket socket = server.accept()) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            for (int i = 0; i < 2; i++) {
                String first = lines.readLine();
                if (i == 0) {
                    connections.add(first);
                }
                while (!lines.readLine().isEmpty()) {
                    assertThat(first).isNotEmpty();
                }
                socket.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().write("OK".getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            // the test is over
        }
    }

    @Test
    void aProbeThatIsToldOfTroubleHasFailed() throws Exception {
        MetricRegistry metrics = new MetricRegistry();
        try (HttpEndpoints http = new HttpEndpoints()) {
            InetSocketAddress address = http.open(new InetSocketAddress(0), "/health", _ -> HttpReply.text(503, "no")).address();
            HealthProbe probe = new HealthProbe(address, "/health", metrics);
            probe.ask();
            probe.ask();
            http.open(address, "/health", _ -> HttpReply.text(200, "OK"));
            probe.ask();
        }
        assertThat(metrics.scrape())
                .contains("coredns_health_request_failures_total 2\n")
                .contains("coredns_health_request_duration_seconds_count 3\n");
    }

    @Test
    void inLameduckModeQueriesAndHealthAreAnsweredButReadinessIsGone() throws Exception {
        String corefile = """
                a.example {
                    whoami
                    health 127.0.0.1:0 {
                        lameduck 1s
                    }
                }
                b.example {
                    whoami
                    health 127.0.0.1:0 {
                        lameduck 1s
                    }
                    ready 127.0.0.1:0
                }
                """;
        try (TestServer server = TestServer.start(corefile)) {
            URI health = server.http("/health");
            URI ready = server.http("/ready");
            assertThat(HttpGet.of(ready).status()).isEqualTo(200);

            Thread stopping = Thread.ofVirtual().start(() -> server.server().stop());
            await().until(() -> server.logLinesWith("plugin/health: Going into lameduck mode for 1s").findAny().isPresent());
            assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> HttpGet.of(ready));
            assertThat(HttpGet.of(health).body()).isEqualTo("OK");
            assertThat(server.ask("a.example", Type.A).getRcode()).isZero();
            assertThat(server.reload(". {\n whoami\n}")).isFalse();
            assertThat(stopping.isAlive()).isTrue();

            stopping.join();
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> HttpGet.of(health));
            assertThat(server.logLinesWith("lameduck")).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            health 8080                         | 2 | "8080" has no port: write :8080
            health localhost                    | 2 | "localhost" has no port: write localhost:PORT
            health :80800                       | 2 | ":80800" has no valid port: write a number from 0 to 65535 after the colon
            health ::1:8080                     | 2 | write an IPv6 address as [::1]:PORT
            health :8080 :8081                  | 2 | wants at most 1 argument, got 2
            health {;lameduck;}                 | 3 | wants 1 argument, got 0; write: lameduck DURATION
            health {;lameduck 5;}               | 3 | write 5s for seconds
            health {;lameduck -5s;}             | 3 | out of range
            health {;lame 5s;}                  | 3 | unknown property "lame"
            """)
    void saysWhatIsWrongAndWhatToWrite(String directive, int line, String message) throws Exception {
        assertThat(TestServer.errorsOf(". {\n" + directive.replace(';', '\n') + "\n}")).singleElement().asString()
                .startsWith("Corefile:" + line + ": plugin/health").contains(message);
    }
}
