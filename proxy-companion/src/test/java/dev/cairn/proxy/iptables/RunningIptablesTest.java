package dev.cairn.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.packets.ProxyProcess;
import dev.cairn.proxy.packets.Testbed;
import dev.cairn.proxy.sync.ApplyFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The command in mode iptables as a process on a node. */
@EnabledIf(value = "dev.cairn.proxy.packets.Testbed#isPossible", disabledReason = Testbed.NEEDS)
@ParameterizedClass
@EnumSource(value = Variant.class, names = {"NFT", "LEGACY"})
class RunningIptablesTest {
    private static final String CLIENT = "203.0.113.2";

    @TempDir
    private Path directory;

    private final Variant variant;
    private final Testbed testbed = new Testbed();
    private final List<Process> processes = new ArrayList<>();

    RunningIptablesTest(Variant variant) {
        this.variant = variant;
    }

    @BeforeEach
    void build() throws IOException {
        testbed.address(Testbed.CLIENTS, CLIENT);
        for (String endpoint : List.of("10.180.0.1", "10.180.0.2")) {
            testbed.address(Testbed.ENDPOINTS, endpoint);
            testbed.listen(endpoint, 5353, "udp");
        }
        new ProxyProcess(testbed, directory).cluster("10.180.0.1");
    }

    @AfterEach
    void tearDown() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly();
            process.waitFor();
        }
        testbed.close();
    }

    private Process start(Variant of, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of("--proxy-mode", "iptables", "--iptables-variant", of.name().toLowerCase(Locale.ROOT)));
        words.addAll(List.of(more));
        Process process = new ProxyProcess(testbed, directory).start(words.toArray(String[]::new));
        processes.add(process);
        return process;
    }

    /** Asks from one port, so that it is one flow. */
    private String ask(double seconds) {
        return testbed.connect(Testbed.CLIENTS, CLIENT + "/5555", ProxyProcess.VIP, 53, "udp", 1, seconds);
    }

    private void awaitAnswer(String endpoint) {
        await().untilAsserted(() -> assertThat(ask(0.3)).isEqualTo("dnat " + endpoint + ":5353=" + CLIENT));
    }

    private void iptables(String arguments) {
        List<String> words = new ArrayList<>(List.of(variant.program(IpFamily.IPV4, "restore").replace("-restore", ""), "-w"));
        words.addAll(List.of(arguments.split(" ", -1)));
        Testbed.run(testbed.inside(Testbed.NODE, words));
    }

    private Listing listing(Variant of) throws ApplyFailure {
        return new IptablesRunner(testbed.inside(Testbed.NODE, List.of())).list(of, IpFamily.IPV4);
    }

    @Test
    void a_udp_flow_follows_its_endpoints_and_outlives_the_proxy() throws IOException, InterruptedException {
        Process proxy = start(variant);
        awaitAnswer("10.180.0.1");
        new ProxyProcess(testbed, directory).cluster("10.180.0.2");
        // The kernel would keep the flow for two minutes after its last packet.
        awaitAnswer("10.180.0.2");
        proxy.destroyForcibly();
        proxy.waitFor();
        assertThat(ask(60)).as("after kill -9").isEqualTo("dnat 10.180.0.2:5353=" + CLIENT);
    }

    @Test
    void what_others_take_away_is_put_back_without_a_change_of_the_cluster() throws IOException, ApplyFailure {
        start(variant);
        awaitAnswer("10.180.0.1");
        Listing whole = listing(variant);
        iptables("-t nat -F");
        await().untilAsserted(() -> assertThat(listing(variant).chains()).isEqualTo(whole.chains()));
        awaitAnswer("10.180.0.1");
        iptables("-t filter -F KUBE-FORWARD");
        await().untilAsserted(() -> assertThat(listing(variant).chains()).isEqualTo(whole.chains()));
        iptables("-t filter -F FORWARD");
        await().untilAsserted(() -> assertThat(listing(variant).others()).isEqualTo(whole.others()));
    }

    @Test
    void node_ports_are_found_at_localhost_and_counted() throws IOException {
        start(variant);
        awaitAnswer("10.180.0.1");
        await().untilAsserted(() -> assertThat(testbed.connect(Testbed.NODE, "127.0.0.1", "127.0.0.1", ProxyProcess.NODE_PORT, "udp", 1, 1))
                .startsWith("dnat 10.180.0.1:5353="));
        assertThat(Testbed.run(testbed.inside(Testbed.NODE, List.of("python3", "-c", "from urllib.request import urlopen\n"
                + "print(urlopen('http://127.0.0.1:10249/metrics').read().decode())"))))
                .contains("kubeproxy_iptables_ct_state_invalid_dropped_packets_total 0\n")
                .containsPattern("kubeproxy_iptables_localhost_nodeports_accepted_packets_total [1-9]");
    }

    @Test
    void rules_of_the_other_kind_are_taken_over() throws IOException, ApplyFailure, InterruptedException {
        Variant other = variant == Variant.NFT ? Variant.LEGACY : Variant.NFT;
        Process once = start(other, "--once");
        assertThat(once.waitFor()).isZero();
        assertThat(listing(other).chains()).isNotEmpty();
        start(variant);
        await().untilAsserted(() -> assertThat(listing(other).chains()).isEmpty());
        awaitAnswer("10.180.0.1");
        assertThat(listing(variant).chains()).containsKey(Chain.NAT_SERVICES);
    }
}
