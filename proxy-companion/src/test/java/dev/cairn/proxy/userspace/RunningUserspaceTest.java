package dev.cairn.proxy.userspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.proxy.packets.ProxyProcess;
import dev.cairn.proxy.packets.Testbed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The command in mode userspace, as a process on a node, with a cluster from files. */
@EnabledIf(value = "dev.cairn.proxy.packets.Testbed#isPossible", disabledReason = Testbed.NEEDS)
class RunningUserspaceTest {
    private static final String VIP = "172.30.0.41";
    private static final String CLIENT = "203.0.113.2";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    private final Testbed testbed = new Testbed();
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void endpoints() {
        testbed.address(Testbed.CLIENTS, CLIENT);
        for (String endpoint : List.of("10.180.0.1", "10.180.0.2")) {
            testbed.address(Testbed.ENDPOINTS, endpoint);
            testbed.listen(endpoint, 5353, "udp");
            testbed.listen(endpoint, 5353, "tcp");
        }
    }

    @AfterEach
    void tearDown() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly();
            process.waitFor();
        }
        testbed.close();
    }

    private void cluster(int nodePort, String... endpoints) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), """
                apiVersion: v1
                kind: Service
                metadata: {name: dns, namespace: shop}
                spec:
                  type: NodePort
                  clusterIP: %s
                  ports: [{name: dns, port: 53, protocol: UDP}, {name: dns-tcp, port: 53, protocol: TCP, nodePort: %d}]
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: dns-1, namespace: shop, labels: {kubernetes.io/service-name: dns}}
                addressType: IPv4
                ports: [{name: dns, port: 5353, protocol: UDP}, {name: dns-tcp, port: 5353, protocol: TCP}]
                endpoints: [%s]
                """.formatted(VIP, nodePort, String.join(", ", List.of(endpoints).stream().map(address -> "{addresses: [" + address + "]}").toList())));
        Files.move(next, directory.resolve("cluster.yaml"), StandardCopyOption.REPLACE_EXISTING);
    }

    private Process start() throws IOException {
        Process process = new ProxyProcess(testbed, directory).start("--proxy-mode", "userspace");
        started.add(process);
        return process;
    }

    /** Asks from one port, so that it is one flow, until somebody answers or it is refused. */
    private void awaitUdp(String expected) {
        await().atMost(PATIENCE).untilAsserted(() ->
                assertThat(answering(testbed.connect(Testbed.CLIENTS, CLIENT + "/5555", VIP, 53, "udp", 1, 0.5))).isEqualTo(expected));
    }

    private void awaitTcp(String to, int port, String expected) {
        await().atMost(PATIENCE).untilAsserted(() ->
                assertThat(answering(testbed.connect(Testbed.CLIENTS, CLIENT, to, port, "tcp", 1, 2))).isEqualTo(expected));
    }

    private static String answering(String answer) {
        return answer.startsWith("dnat ") ? answer.substring("dnat ".length(), answer.indexOf('=')) : answer;
    }

    private String nft(String command) throws IOException {
        List<String> words = new ArrayList<>(List.of("nft"));
        words.addAll(List.of(command.split(" ", -1)));
        Process process = new ProcessBuilder(testbed.inside(Testbed.NODE, words)).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void a_process_takes_over_from_one_that_was_killed_and_takes_its_rules_along_when_it_ends() throws IOException, InterruptedException {
        cluster(30053, "10.180.0.1");
        Process first = start();
        awaitUdp("10.180.0.1:5353");
        first.destroyForcibly();
        first.waitFor();
        awaitUdp("reject");
        awaitTcp(VIP, 53, "reset");
        Process second = start();
        awaitUdp("10.180.0.1:5353");
        awaitTcp(VIP, 53, "10.180.0.1:5353");
        second.toHandle().destroy();
        assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(nft("list tables")).doesNotContain("cairn");
    }

    @Test
    void clients_follow_the_endpoints() throws IOException {
        cluster(30053, "10.180.0.1");
        start();
        awaitUdp("10.180.0.1:5353");
        cluster(30053, "10.180.0.2");
        awaitUdp("10.180.0.2:5353");
        awaitTcp(VIP, 53, "10.180.0.2:5353");
        awaitTcp("100.64.1.1", 30053, "10.180.0.2:5353");
        assertThat(answering(testbed.connect(Testbed.NODE, "127.0.0.1", "127.0.0.1", 30053, "tcp", 1, 60))).isEqualTo("10.180.0.2:5353");
        cluster(30054, "10.180.0.2");
        awaitTcp("100.64.1.1", 30054, "10.180.0.2:5353");
        cluster(30054);
        awaitUdp("reject");
        awaitTcp(VIP, 53, "reject");
        awaitTcp("100.64.1.1", 30054, "reject");
        cluster(30054, "10.180.0.1");
        awaitUdp("10.180.0.1:5353");
    }

    @Test
    void what_others_take_away_is_put_back() throws IOException {
        cluster(30053, "10.180.0.1");
        start();
        awaitTcp(VIP, 53, "10.180.0.1:5353");
        nft("flush ruleset");
        awaitTcp(VIP, 53, "10.180.0.1:5353");
        nft("delete element ip cairn-userspace service-nodeports { tcp . 30053 }");
        awaitTcp("100.64.1.1", 30053, "10.180.0.1:5353");
        nft("flush chain ip cairn-userspace nat-prerouting ; add rule ip cairn-userspace nat-prerouting accept");
        awaitTcp("100.64.1.1", 30053, "10.180.0.1:5353");
        awaitTcp(VIP, 53, "10.180.0.1:5353");
    }

    @Test
    void what_others_take_away_of_iptables_is_put_back(@TempDir Path programs) throws IOException {
        cluster(30053, "10.180.0.1");
        // Without nft in sight.
        for (String program : List.of("iptables", "ip6tables", "iptables-save", "iptables-restore", "ip6tables-save", "ip6tables-restore")) {
            Files.createSymbolicLink(programs.resolve(program), where(program));
        }
        ProcessBuilder command = new ProxyProcess(testbed, directory).command("--proxy-mode", "userspace");
        command.environment().put("PATH", programs.toString());
        command.command().set(0, where("ip").toString());
        started.add(ProxyProcess.reported(command));
        awaitTcp(VIP, 53, "10.180.0.1:5353");
        Testbed.run(testbed.inside(Testbed.NODE, List.of("iptables", "-t", "nat", "-F")));
        awaitTcp(VIP, 53, "10.180.0.1:5353");
    }

    private static Path where(String program) {
        return Path.of(Testbed.run(List.of("sh", "-c", "command -v " + program)).strip());
    }

    @Test
    void listeners_take_only_what_is_led_there() throws IOException {
        cluster(30053, "10.180.0.1");
        start();
        awaitTcp(VIP, 53, "10.180.0.1:5353");
        Matcher listener = Pattern.compile("tcp \\. ([0-9]+)").matcher(nft("list set ip cairn-userspace listeners"));
        assertThat(listener.find()).isTrue();
        awaitTcp("100.64.1.1", Integer.parseInt(listener.group(1)), "reject");
    }

    @Test
    void an_endpoint_at_the_nodes_own_port_is_reached_and_not_led_round() throws IOException {
        cluster(5353, "100.64.1.1");
        assertThat(testbed.ask(Testbed.NODE, "listen 100.64.1.1 5353 tcp")).isEqualTo("ok");
        start();
        awaitTcp(VIP, 53, "100.64.1.1:5353");
        awaitTcp("100.64.1.1", 5353, "100.64.1.1:5353");
    }
}
