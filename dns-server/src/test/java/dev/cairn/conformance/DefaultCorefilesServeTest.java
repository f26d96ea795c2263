package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Type;

/**
 * The Corefiles that clusters come with start, serve the cluster, forward, cache and reload. They are unchanged but for ports, paths and
 * addresses, and for how long {@code lameduck} makes the end wait.
 */
class DefaultCorefilesServeTest {
    private static final String OUTSIDE = "www.example.org";
    private static final String OUTSIDE_ADDRESS = "192.0.2.80";
    private static final String INSIDE = "db.shop.svc.cluster.local";
    private static final String INSIDE_ADDRESS = "10.244.1.20";

    @TempDir
    Path directory;

    private static String shipped(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(DefaultCorefilesServeTest.class.getResourceAsStream("/corefiles/" + name + ".corefile"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String madeToRunHere(String corefile, UpstreamZone upstream) {
        String to = "127.0.0.1:" + upstream.port();
        String manifests = Path.of(System.getProperty("cairn.root"), "examples", "cluster").toString();
        return corefile
                .replaceAll("(?m):(53|5353)(?= )", "")
                .replaceAll("(?m)^( *)bind .*", "$1bind 127.0.0.1")
                .replaceAll("prometheus .*", "prometheus 127.0.0.1:0")
                .replaceAll("(?m)^(\\s*(?:health|ready))( 169[.0-9:]+)?(?=$| )", "$1 127.0.0.1:0")
                .replaceAll("lameduck [0-9]+s", "lameduck 10ms")
                .replaceAll("(?m)^(\\s*kubernetes .*)\\{", "$1{\n manifests " + manifests)
                .replaceAll("forward [.] (/etc/resolv[.]conf|10.96.112.13|1.1.1.1 2.2.2.2:5353)", "forward . " + to)
                .replace("/etc/coredns", directory.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubeadm", "k3s", "eks", "aks", "openshift", "nodelocal"})
    void startsServesForwardsCachesAndReloads(String name) throws Exception {
        Path custom = Files.createDirectory(directory.resolve("custom"));
        Files.writeString(custom.resolve("own.override"), "rewrite name exact alias.example.org www.example.org\n");
        Files.writeString(directory.resolve("NodeHosts"), "10.1.1.1 node-1\n");
        Map<String, Object> records = Map.of("outside", List.of(OUTSIDE + ". 300 IN A " + OUTSIDE_ADDRESS, INSIDE + ". 5 IN A " + INSIDE_ADDRESS));
        try (UpstreamZone upstream = new UpstreamZone(records)) {
            String text = madeToRunHere(shipped(name), upstream);
            Path corefile = Files.writeString(directory.resolve("Corefile"), text);
            try (TestServer server = TestServer.start(corefile)) {
                serves(server);
                if (text.contains("custom/*.override")) {
                    assertThat(addresses(server, "alias.example.org")).as("what the user imports").containsExactly(OUTSIDE_ADDRESS);
                }
                Files.writeString(corefile, text + "\n# changed\n");
                assertThat(server.server().reload()).as("reload: %s", server.log()).isTrue();
                serves(server);
            }
        }
    }

    /** The README and the file itself say that {@code -p} chooses its port, which a port in the file would forbid. */
    @Test
    void theExampleListensWhereTheCommandLineSays() throws IOException {
        Path example = Path.of(System.getProperty("cairn.root"), "Corefile.example");
        assertThat(Files.readAllLines(example)).contains(". {").noneMatch(line -> line.startsWith(".:"));
    }

    private static void serves(TestServer server) {
        Awaitility.await().untilAsserted(() -> assertThat(addresses(server, INSIDE)).contains(INSIDE_ADDRESS));
        double before = hits(server);
        assertThat(addresses(server, OUTSIDE)).containsExactly(OUTSIDE_ADDRESS);
        assertThat(addresses(server, OUTSIDE)).containsExactly(OUTSIDE_ADDRESS);
        assertThat(hits(server)).as("cache hits").isGreaterThan(before);
    }

    private static List<String> addresses(TestServer server, String name) {
        try {
            return TestServer.answers(server.ask(name, Type.A)).stream().map(row -> row.substring(row.lastIndexOf(' ') + 1)).toList();
        } catch (IOException e) {
            throw new AssertionError(name, e);
        }
    }

    private static double hits(TestServer server) {
        return server.metrics().lines()
                .filter(line -> line.startsWith("coredns_cache_hits_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
