package dev.cairn.proxy.nft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.proxy.packets.ProxyProcess;
import dev.cairn.proxy.packets.Testbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process on a node, with a cluster from files. */
@EnabledIf(value = "dev.cairn.proxy.packets.Testbed#isPossible", disabledReason = Testbed.NEEDS)
class RunningProxyTest {
    private static final String VIP = ProxyProcess.VIP;

    @TempDir
    private Path directory;

    private final Testbed testbed = new Testbed();

    @AfterEach
    void tearDown() {
        testbed.close();
    }

    private void cluster(String endpoint) throws IOException {
        new ProxyProcess(testbed, directory).cluster(endpoint);
    }

    private Process start(String... more) throws IOException {
        return new ProxyProcess(testbed, directory).start(more);
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

    @Test
    void a_flow_of_sctp_follows_its_endpoints_if_it_is_wished() throws IOException, InterruptedException {
        testbed.address(Testbed.CLIENTS, "203.0.113.2");
        for (String endpoint : List.of("10.180.0.1", "10.180.0.2")) {
            testbed.address(Testbed.ENDPOINTS, endpoint);
            testbed.listen(endpoint, 5353, "sctp");
        }
        new ProxyProcess(testbed, directory).cluster("10.180.0.1", "SCTP");
        Process proxy = start("--conntrack-sctp-cleanup");
        try {
            await().untilAsserted(() -> assertThat(associate()).startsWith("dnat 10.180.0.1:5353="));
            new ProxyProcess(testbed, directory).cluster("10.180.0.2", "SCTP");
            await().untilAsserted(() -> assertThat(associate()).startsWith("dnat 10.180.0.2:5353="));
        } finally {
            proxy.destroyForcibly();
            proxy.waitFor();
        }
    }

    private String associate() {
        return testbed.connect(Testbed.CLIENTS, "203.0.113.2/5555", VIP, 53, "sctp", 1, 0.5);
    }

    @Test
    void a_udp_flow_does_not_outlive_its_service() throws IOException, InterruptedException {
        serving();
        cluster("10.180.0.1");
        Process proxy = start();
        try {
            awaitService();
            Files.delete(directory.resolve("cluster.yaml"));
            await().untilAsserted(() -> assertThat(ask(0.3)).doesNotStartWith("dnat"));
        } finally {
            proxy.destroyForcibly();
            proxy.waitFor();
        }
    }

    private void nft(String command) {
        Testbed.run(testbed.inside(Testbed.NODE, List.of(("nft " + command).split(" ", -1))));
    }

    private void serving() {
        testbed.address(Testbed.CLIENTS, "203.0.113.2");
        testbed.address(Testbed.ENDPOINTS, "10.180.0.1");
        testbed.listen("10.180.0.1", 5353, "udp");
    }

    private void awaitService() {
        await().untilAsserted(() -> assertThat(ask(0.3)).isEqualTo("dnat 10.180.0.1:5353=203.0.113.2"));
    }

    @Test
    void what_others_take_away_is_put_back_without_a_change_of_the_cluster() throws IOException, InterruptedException {
        serving();
        cluster("10.180.0.1");
        Process proxy = start();
        try {
            awaitService();
            nft("add table ip theirs");
            nft("flush ruleset");
            nft("add table ip theirs");
            awaitService();
            nft("flush chain ip cairn-proxy nat-prerouting ; delete chain ip cairn-proxy nat-prerouting");
            await().ignoreExceptions().untilAsserted(() -> nft("list chain ip cairn-proxy nat-prerouting"));
            nft("delete element ip cairn-proxy endpoints-udp { " + VIP + " . udp . 53 . 0 }");
            await().ignoreExceptions().untilAsserted(() -> nft("get element ip cairn-proxy endpoints-udp { " + VIP + " . udp . 53 . 0 }"));
            nft("flush chain ip cairn-proxy services ; add rule ip cairn-proxy services accept ; add rule ip cairn-proxy services accept");
            List<String> list = testbed.inside(Testbed.NODE, List.of("nft", "list", "chain", "ip", "cairn-proxy", "services"));
            await().untilAsserted(() -> assertThat(Testbed.run(list)).contains("@service-ips").doesNotContain("accept"));
            nft("list table ip theirs");
            awaitService();
        } finally {
            proxy.destroyForcibly();
            proxy.waitFor();
        }
    }

    @Test
    void kube_proxys_tables_are_taken_over_while_connections_stay_open() throws IOException, InterruptedException {
        testbed.address(Testbed.CLIENTS, "203.0.113.2");
        testbed.address(Testbed.ENDPOINTS, "10.180.0.1");
        testbed.listen("10.180.0.1", 5353, "udp");
        assertThat(testbed.ask(Testbed.ENDPOINTS, "echo 10.180.0.1 7")).isEqualTo("ok");
        nft("add table ip kube-proxy ; add table ip6 kube-proxy");
        nft("add chain ip kube-proxy nat-prerouting { type nat hook prerouting priority dstnat ; }");
        nft("add rule ip kube-proxy nat-prerouting ip daddr " + VIP + " tcp dport 7 dnat to 10.180.0.1:7");
        nft("add table ip theirs");
        assertThat(testbed.ask(Testbed.CLIENTS, "open " + VIP + " 7")).isEqualTo("ok");
        assertThat(testbed.ask(Testbed.CLIENTS, "say before")).isEqualTo("before");
        cluster("10.180.0.1");
        Process proxy = start();
        try {
            await().untilAsserted(() -> assertThat(tables()).containsExactlyInAnyOrder(
                    "table ip theirs", "table ip cairn-proxy", "table ip6 cairn-proxy"));
            awaitService();
            assertThat(testbed.ask(Testbed.CLIENTS, "say after")).isEqualTo("after");
        } finally {
            proxy.destroyForcibly();
            proxy.waitFor();
        }
    }

    @Test
    void init_only_sets_the_connection_tracker_and_programs_nothing() throws IOException, InterruptedException {
        // The limit of connections is the machine's and not the namespace's.
        Process proxy = start("--init-only", "--conntrack-max-per-core", "0", "--conntrack-tcp-timeout-established", "2h",
                "--conntrack-tcp-be-liberal", "--conntrack-udp-timeout", "7s");
        assertThat(proxy.waitFor()).isZero();
        assertThat(Testbed.run(testbed.inside(Testbed.NODE, List.of("sysctl", "-n", "net.netfilter.nf_conntrack_tcp_timeout_established",
                "net.netfilter.nf_conntrack_tcp_timeout_close_wait", "net.netfilter.nf_conntrack_tcp_be_liberal",
                "net.netfilter.nf_conntrack_udp_timeout"))).lines()).containsExactly("7200", "3600", "1", "7");
        assertThat(tables()).isEmpty();
    }

    @Test
    void an_address_that_the_node_gets_later_has_node_ports_too() throws IOException, InterruptedException {
        serving();
        cluster("10.180.0.1");
        Process proxy = start("--nodeport-addresses", "198.51.100.0/24");
        try {
            awaitService();
            testbed.nodeAddress("198.51.100.77");
            await().untilAsserted(() -> assertThat(
                    testbed.connect(Testbed.CLIENTS, "203.0.113.2", "198.51.100.77", ProxyProcess.NODE_PORT, "udp", 1, 0.3)).startsWith("dnat 10.180.0.1:5353="));
            testbed.clear();
            await().untilAsserted(() -> assertThat(Testbed.run(testbed.inside(Testbed.NODE,
                    List.of("nft", "list", "set", "ip", "cairn-proxy", "nodeport-ips")))).doesNotContain("198.51.100.77"));
        } finally {
            proxy.destroyForcibly();
            proxy.waitFor();
        }
    }

    private List<String> tables() {
        return Testbed.run(testbed.inside(Testbed.NODE, List.of("nft", "list", "tables"))).lines().toList();
    }
}
