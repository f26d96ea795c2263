package dev.cairn.plugin.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.xbill.DNS.Type;

class TraceTest {
    /** A request: its path, and its body, which being JSON is YAML as well. */
    private record Post(String path, String type, Object body) {}

    private final List<Post> posts = new CopyOnWriteArrayList<>();
    private volatile int code = 202;
    private HttpServer collector;

    @BeforeEach
    void start() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            posts.add(new Post(exchange.getRequestURI().getPath(), exchange.getRequestHeaders().getFirst("Content-Type"),
                    new Load(LoadSettings.builder().build()).loadFromString(body)));
            exchange.sendResponseHeaders(code, -1);
            exchange.close();
        });
        collector.start();
    }

    @AfterEach
    void stop() {
        collector.stop(0);
    }

    private String endpoint() {
        return "127.0.0.1:" + collector.getAddress().getPort();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    /** Follows names and indexes. */
    private static Object at(Object value, Object... steps) {
        Object here = value;
        for (Object step : steps) {
            here = step instanceof Integer i ? list(here).get(i) : map(here).get((String) step);
        }
        return here;
    }

    private List<Object> zipkinSpans() {
        List<Object> spans = new ArrayList<>();
        posts.forEach(post -> spans.addAll(list(post.body())));
        return spans;
    }

    @Test
    void zipkinGetsASpanForEachQuery() throws Exception {
        Instant before = Instant.now();
        try (TestServer server = TestServer.start(". {\n trace " + endpoint()
                + " {\n  service shop-dns\n  client_server\n  zipkin_max_batch_interval 10ms\n }\n hosts {\n  10.0.0.1 a.example\n }\n}")) {
            server.ask("a.example", Type.A);
            server.ask("b.example", Type.AAAA);
            await().until(() -> zipkinSpans().size() == 2);
            assertThat(posts.getFirst().path()).isEqualTo("/api/v2/spans");
            assertThat(posts.getFirst().type()).isEqualTo("application/json");
            Map<String, Object> span = map(zipkinSpans().getFirst());
            assertThat(span).containsEntry("kind", "SERVER").containsEntry("name", "servedns");
            assertThat((String) span.get("traceId")).matches("[0-9a-f]{32}");
            assertThat((String) span.get("id")).matches("[0-9a-f]{16}");
            assertThat(Instant.EPOCH.plusNanos(1000 * ((Number) span.get("timestamp")).longValue()))
                    .isBetween(before.minusMillis(20), Instant.now().plusMillis(20));
            assertThat(((Number) span.get("duration")).longValue()).isBetween(1L, 10_000_000L);
            assertThat(map(span.get("localEndpoint")))
                    .containsEntry("serviceName", "shop-dns").containsEntry("ipv4", "127.0.0.1").containsEntry("port", server.port());
            assertThat(map(span.get("tags"))).containsExactlyInAnyOrderEntriesOf(Map.of(
                    "coredns.io/name", "a.example.", "coredns.io/type", "A", "coredns.io/proto", "udp", "coredns.io/remote", "127.0.0.1",
                    "coredns.io/rcode", "NOERROR", "cairn/plugin", "hosts"));
            assertThat(at(zipkinSpans().get(1), "tags", "coredns.io/rcode")).isEqualTo("SERVFAIL");
        }
    }

    @Test
    void anOpenTelemetryCollectorGetsThemInItsForm() throws Exception {
        try (TestServer server = TestServer.start(". {\n trace otlp " + endpoint() + " {\n  max_batch_interval 10ms\n }\n local\n}")) {
            server.askTcp("example.org", Type.A);
            await().until(() -> posts.size() == 1);
            assertThat(posts.getFirst().path()).isEqualTo("/v1/traces");
            Object resource = at(posts.getFirst().body(), "resourceSpans", 0);
            assertThat(at(resource, "resource", "attributes", 0, "value", "stringValue")).isEqualTo("coredns");
            Map<String, Object> span = map(at(resource, "scopeSpans", 0, "spans", 0));
            assertThat(span).containsEntry("kind", 2).containsEntry("name", "servedns");
            assertThat((String) span.get("traceId")).matches("[0-9a-f]{32}");
            assertThat((String) span.get("spanId")).matches("[0-9a-f]{16}");
            long start = Long.parseLong((String) span.get("startTimeUnixNano"));
            assertThat(Long.parseLong((String) span.get("endTimeUnixNano"))).isGreaterThan(start);
            assertThat(list(span.get("attributes")).stream().map(each -> at(each, "key") + "=" + map(at(each, "value")).values()))
                    .contains("dns.question.name=[example.org.]", "dns.question.type=[A]", "dns.response.code=[SERVFAIL]",
                            "network.transport=[tcp]", "client.address=[127.0.0.1]", "server.port=[" + server.port() + "]");
            assertThat(at(span, "status", "code")).isEqualTo(2);
            assertThat((String) at(span, "status", "message")).contains("no plugin below answered");
        }
    }

    @Test
    void spansAreSampledAndGatheredAndTheLastAreSentAtTheEnd() throws Exception {
        try (TestServer server = TestServer.start(
                ". {\n trace http://" + endpoint() + "/proxy/spans {\n  every 4\n  zipkin_max_batch_interval 1h\n }\n whoami\n}")) {
            for (int i = 0; i < 100; i++) {
                server.ask("example.org", Type.A);
            }
            assertThat(posts).isEmpty();
        }
        await().untilAsserted(() -> assertThat(posts).singleElement().satisfies(post -> assertThat(post.path()).isEqualTo("/proxy/spans")));
        assertThat(zipkinSpans().size()).isBetween(5, 60);
    }

    @Test
    void aCollectorThatDoesNotTakeThemIsToldOfOnceAndHoldsNothingUp() throws Exception {
        code = 500;
        try (TestServer server = TestServer.start(". {\n trace " + endpoint() + " {\n  zipkin_max_batch_interval 0s\n }\n whoami\n}")) {
            server.ask("example.org", Type.A);
            await().until(() -> posts.size() == 1);
            server.ask("example.org", Type.A);
            await().until(() -> server.metrics().contains("cairn_trace_dropped_spans_total 2"));
            assertThat(server.logLinesWith("spans do not reach")).singleElement().asString().contains("HTTP 500");
            code = 202;
            server.ask("example.org", Type.A);
            await().until(() -> server.logLinesWith("spans reach").count() == 1);
        }
    }

    @Test
    void mistakesAreTold() throws Exception {
        assertThat(TestServer.errorsOf(". {\n trace datadog localhost:8126 {\n  datadog_analytics_rate 0.5\n }\n}")).satisfiesExactlyInAnyOrder(
                one -> assertThat(one).contains("trace otlp HOST:4318"), one -> assertThat(one).contains("remove it"));
        assertThat(TestServer.errorsOf(". {\n trace jaeger localhost:1\n}")).singleElement().asString().contains("trace [zipkin|otlp]");
        assertThat(TestServer.errorsOf(". {\n trace \"a b\"\n}")).singleElement().asString().contains("is not an address");
        assertThat(TestServer.errorsOf(". {\n trace {\n  every -1\n  evry 3\n  client_server maybe\n }\n}")).hasSize(3);
    }
}
