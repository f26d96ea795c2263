package dev.cairn.proxy.packets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process that is killed while it programs many services, again and again. */
@EnabledIf(value = "dev.cairn.proxy.packets.Testbed#isPossible", disabledReason = Testbed.NEEDS)
public abstract class KilledFlows {
    private static final String VIP = "172.30.0.41";
    private static final String WORKS = "dnat 10.180.0.1:5353=203.0.113.2";
    private static final int MANY = 200;

    @TempDir
    private Path directory;

    private final Testbed testbed = new Testbed();
    private final List<String> flags;
    private final List<String> listing;
    private final String begun;
    private final String beforePort;

    /**
     * For a mode.
     *
     * @param flags that choose it
     * @param listing the command that lists its rules
     * @param begun what is listed as soon as it has begun
     * @param beforePort what is listed before the port of an endpoint
     */
    protected KilledFlows(List<String> flags, List<String> listing, String begun, String beforePort) {
        this.flags = flags;
        this.listing = listing;
        this.begun = begun;
        this.beforePort = beforePort;
    }

    @BeforeEach
    void listen() throws IOException {
        testbed.address(Testbed.CLIENTS, "203.0.113.2");
        testbed.address(Testbed.ENDPOINTS, "10.180.0.1");
        testbed.listen("10.180.0.1", 5353, "udp");
        write("stable", service("stable", VIP, 5353, "10.180.0.1"));
    }

    @AfterEach
    void tearDown() {
        testbed.close();
    }

    private void write(String name, String text) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), text);
        Files.move(next, directory.resolve(name + ".yaml"), StandardCopyOption.REPLACE_EXISTING);
    }

    private static String service(String name, String address, int target, String... endpoints) {
        StringBuilder text = new StringBuilder("""
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: %1$s, namespace: shop}
                spec: {clusterIP: %2$s, ports: [{name: dns, port: 53, protocol: UDP}]}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: %1$s-1, namespace: shop, labels: {kubernetes.io/service-name: %1$s}}
                addressType: IPv4
                ports: [{name: dns, port: %3$d, protocol: UDP}]
                endpoints:
                """.formatted(name, address, target));
        for (String endpoint : endpoints) {
            text.append("- {addresses: [").append(endpoint).append("]}\n");
        }
        return text.toString();
    }

    /** Services whose endpoints tell by their port which generation it is; their number changes, too. */
    private void many(int generation) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = generation % 2 * 10; i < MANY; i++) {
            String[] endpoints = new String[1 + (i + generation) % 4];
            for (int k = 0; k < endpoints.length; k++) {
                endpoints[k] = "10.200." + generation + "." + (i % 200 + 1 + k);
            }
            text.append(service("s" + i, "172.31." + i / 250 + "." + (i % 250 + 1), 6000 + generation, endpoints));
        }
        write("many", text.toString());
    }

    private Process start(String... command) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), "dev.cairn.proxy.CairnProxy"));
        words.addAll(List.of(command));
        words.addAll(List.of("--manifests", directory.toString(), "--hostname-override", "node"));
        words.addAll(flags);
        return ProxyProcess.reported(new ProcessBuilder(testbed.inside(Testbed.NODE, words)));
    }

    private String ask(double seconds) {
        return testbed.connect(Testbed.CLIENTS, "203.0.113.2", VIP, 53, "udp", 1, seconds);
    }

    private String elements() {
        return Testbed.run(testbed.inside(Testbed.NODE, listing));
    }

    /** Runs it until something has happened, and kills it then. */
    private void runUntil(Callable<Boolean> point) throws IOException, InterruptedException {
        Process proxy = start();
        try {
            await().pollInterval(Duration.ofMillis(1)).pollDelay(Duration.ZERO).until(point);
        } finally {
            proxy.destroyForcibly();
            proxy.waitFor();
        }
    }

    @Test
    void traffic_flows_whenever_it_is_killed_and_nothing_is_left_over() throws IOException, InterruptedException {
        many(1);
        runUntil(() -> elements().contains(begun));
        runUntil(() -> elements().contains(beforePort + 6001));
        runUntil(() -> ask(0.3).equals(WORKS));
        for (int generation = 2; generation < 5; generation++) {
            many(generation);
            String sign = beforePort + (6000 + generation);
            runUntil(() -> elements().contains(sign));
            assertThat(ask(60)).as("after a kill in generation %d", generation).isEqualTo(WORKS);
        }
        Process last = start();
        try {
            many(7);
            await().until(() -> elements().contains(beforePort + 6007));
            Files.delete(directory.resolve("many.yaml"));
            await().until(() -> !elements().contains("10.200."));
            assertThat(ask(60)).isEqualTo(WORKS);
            assertThat(start("audit").waitFor()).as("exit code of an audit").isZero();
        } finally {
            last.destroyForcibly();
            last.waitFor();
        }
        assertThat(start("--cleanup").waitFor()).isZero();
        assertThat(elements()).doesNotContain(begun).doesNotContain(VIP);
    }
}
