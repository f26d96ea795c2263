package dev.cairn.proxy.nft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process on a node, with a cluster from files. */
@EnabledIf(value = "dev.cairn.proxy.nft.Testbed#isPossible", disabledReason = Testbed.NEEDS)
class RunningProxyTest {
    private static final String VIP = "172.30.0.41";

    @TempDir
    private Path directory;

    private final Testbed testbed = new Testbed();

    @AfterEach
    void tearDown() {
        testbed.close();
    }

    private void cluster(String endpoint) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), """
                apiVersion: v1
                kind: Service
                metadata: {name: dns, namespace: shop}
                spec: {clusterIP: %s, ports: [{name: dns, port: 53, protocol: UDP}]}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: dns-1, namespace: shop, labels: {kubernetes.io/service-name: dns}}
                addressType: IPv4
                ports: [{name: dns, port: 5353, protocol: UDP}]
                endpoints: [{addresses: [%s]}]
                """.formatted(VIP, endpoint));
        Files.move(next, directory.resolve("cluster.yaml"), StandardCopyOption.REPLACE_EXISTING);
    }

    private Process start() throws IOException {
        return new ProcessBuilder(testbed.inside(Testbed.NODE, List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), "dev.cairn.proxy.CairnProxy",
                        "--manifests", directory.toString(), "--hostname-override", "node")))
                .inheritIO()
                .start();
    }

    /** Asks from one port, so that it is one flow. */
    private String ask(double patience) {
        return testbed.connect(Testbed.CLIENTS, "203.0.113.2/5555", VIP, 53, "udp", 1, patience);
    }

    @Test
    void a_udp_flow_follows_its_endpoints_and_outlives_the_proxy() throws IOException, InterruptedException {
        testbed.address(Testbed.CLIENTS, "203.0.113.2");
        for (String endpoint : List.of("10.180.0.1", "10.180.0.2")) {
            testbed.address(Testbed.ENDPOINTS, endpoint);
            testbed.listen(endpoint, 5353, "udp");
        }
        cluster("10.180.0.1");
        Process proxy = start();
        try {
            await().untilAsserted(() -> assertThat(ask(0.3)).isEqualTo("dnat 10.180.0.1:5353=203.0.113.2"));
            cluster("10.180.0.2");
            // The kernel would keep the flow for two minutes after its last packet.
            await().untilAsserted(() -> assertThat(ask(0.3)).isEqualTo("dnat 10.180.0.2:5353=203.0.113.2"));
        } finally {
            proxy.destroyForcibly();
            proxy.waitFor();
        }
        assertThat(ask(60)).as("after kill -9").isEqualTo("dnat 10.180.0.2:5353=203.0.113.2");
    }
}
