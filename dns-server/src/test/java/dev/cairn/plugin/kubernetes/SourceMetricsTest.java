package dev.cairn.plugin.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a scrape tells of an API server that has nothing, and one new service for each watch. */
class SourceMetricsTest {
    private static final String EVENT = "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Service\",\"metadata\":"
            + "{\"name\":\"a\",\"namespace\":\"shop\",\"resourceVersion\":\"2\"},\"spec\":{\"clusterIP\":\"10.0.0.1\"}}}\n";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closing = new CountDownLatch(1);
    private HttpServer api;

    @BeforeEach
    void startApi() throws IOException {
        api = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.setExecutor(threads);
        api.createContext("/", this::answer);
        api.start();
    }

    @AfterEach
    void stopApi() {
        closing.countDown();
        api.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        boolean watch = String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true");
        boolean services = exchange.getRequestURI().getPath().endsWith("/services");
        exchange.sendResponseHeaders(200, 0);
        try (exchange; OutputStream out = exchange.getResponseBody()) {
            String text = watch ? services ? EVENT : "" : "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}";
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
            if (watch) {
                closing.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String corefile(int ttl) {
        return ". {\n kubernetes cluster.local {\n  endpoint http://127.0.0.1:" + api.getAddress().getPort() + "\n  ttl " + ttl + "\n }\n}";
    }

    @Test
    void changesAreCountedAndStayCountedWhenTheSourceIsGone() throws Exception {
        try (TestServer server = TestServer.start(corefile(5))) {
            await().until(() -> server.metrics().contains("cairn_kubernetes_events_total{resource=\"services\"} 1\n"));
            assertThat(server.metrics())
                    .contains("# TYPE cairn_kubernetes_events_total counter", "# TYPE cairn_kubernetes_relists_total counter")
                    .contains("cairn_kubernetes_relists_total{resource=\"services\"} 0\n", "cairn_kubernetes_synced{resource=\"services\"} 1\n");
            assertThat(server.reload(". {\n whoami\n}")).isTrue();
            assertThat(server.metrics()).contains("cairn_kubernetes_events_total{resource=\"services\"} 1\n")
                    .doesNotContain("cairn_kubernetes_silence_seconds{", "cairn_kubernetes_synced{");
            // Another source begins to count at nothing, on top of what there was.
            assertThat(server.reload(corefile(6))).isTrue();
            await().until(() -> server.metrics().contains("cairn_kubernetes_events_total{resource=\"services\"} 2\n"));
        }
    }

    @Test
    void ofTwoClustersTheOneThatIsKnownLessIsTold() throws Exception {
        String other = "\nother.local {\n kubernetes {\n  endpoint http://127.0.0.1:1\n }\n}";
        try (TestServer server = TestServer.start(corefile(5) + other)) {
            await().until(() -> server.metrics().contains("cairn_kubernetes_events_total{resource=\"services\"} 1\n"));
            assertThat(server.metrics()).contains("cairn_kubernetes_synced{resource=\"services\"} 0\n");
            assertThat(server.reload(corefile(6))).isTrue();
            assertThat(server.metrics()).contains("cairn_kubernetes_synced{resource=\"services\"} 1\n");
        }
    }

    /** The bounds are those that the Go client library has as its default and CoreDNS does not change. */
    @Test
    void requestsAreMeasuredInTheBucketsOfCoreDns() throws Exception {
        try (TestServer server = TestServer.start(corefile(5))) {
            await().until(() -> server.metrics().contains("cairn_kubernetes_synced{resource=\"slices\"} 1\n"));
            String host = "host=\"127.0.0.1:" + api.getAddress().getPort() + "\"";
            for (String name : List.of("request_duration", "rate_limiter_duration")) {
                String prefix = "coredns_kubernetes_rest_client_" + name + "_seconds_bucket{" + host + ",verb=\"GET\",le=\"";
                assertThat(server.metrics().lines().filter(line -> line.startsWith(prefix))
                                .map(line -> line.substring(prefix.length(), line.lastIndexOf('"'))))
                        .containsExactly("0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10", "+Inf");
            }
            assertThat(server.metrics()).contains("coredns_kubernetes_rest_client_requests_total{code=\"200\"," + host + ",method=\"GET\"} ");
        }
    }
}
