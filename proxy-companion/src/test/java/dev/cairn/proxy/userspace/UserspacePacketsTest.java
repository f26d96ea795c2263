package dev.cairn.proxy.userspace;

import static dev.cairn.proxy.conformance.Facts.list;
import static dev.cairn.proxy.conformance.Facts.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.proxy.conformance.Facts;
import dev.cairn.proxy.conformance.Facts.Case;
import dev.cairn.proxy.packets.Testbed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The flows of the conformance file as real packets through the relay on a node, by either gate. Node ports are where they are with
 * iptables; what differs is that endpoints always see the node.
 */
@EnabledIf(value = "dev.cairn.proxy.packets.Testbed#isPossible", disabledReason = "network namespaces and nftables need root")
class UserspacePacketsTest {
    private static final Set<String> NODES = Set.of("192.168.0.2", "192.168.1.2", "127.0.0.1", "::1");
    private static final double SILENCE = 0.6;
    private static final double PATIENCE = 10;

    private static Testbed testbed;
    private static final Map<String, Relaying> RELAYS = new HashMap<>();

    /** A process with the backend on the node. */
    private record Relaying(Process process, BufferedReader out, Writer in) {
        static Relaying start(String gate) {
            try {
                Process process = new ProcessBuilder(testbed.inside(Testbed.NODE, List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m",
                        "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), RelayProcess.class.getName(), gate)))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                return new Relaying(process, process.inputReader(StandardCharsets.UTF_8), process.outputWriter(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        String ask(String line) throws IOException {
            in.write(line + "\n");
            in.flush();
            return String.valueOf(out.readLine());
        }
    }

    @BeforeAll
    static void build() {
        testbed = new Testbed();
        List.of("nftables", "iptables").forEach(gate -> RELAYS.put(gate, Relaying.start(gate)));
    }

    @AfterAll
    static void tearDown() throws IOException, InterruptedException {
        for (Relaying relay : RELAYS.values()) {
            relay.in().close();
            if (!relay.process().waitFor(30, TimeUnit.SECONDS)) {
                relay.process().destroyForcibly();
            }
        }
        RELAYS.clear();
        testbed.close();
    }

    @AfterEach
    void clear() throws IOException {
        for (Relaying relay : RELAYS.values()) {
            relay.ask("clear");
        }
        testbed.clear();
    }

    static Stream<Case> cases() {
        return Facts.cases().stream().filter(one -> one.expect().containsKey("flows") && one.modes().contains("iptables"));
    }

    /** TCP and UDP flows of clients that can be made here: a load balancer's own address as a client cannot. */
    private static List<Map<String, Object>> flows(Case one) {
        return list(one.expect().get("flows")).stream()
                .map(Facts::map)
                .filter(flow -> !flow.get("protocol").equals("SCTP"))
                .filter(flow -> !Set.of("1.2.3.4", "5.6.7.8").contains(flow.get("from")))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void packets_led_by_nftables_go_where_they_should(Case one) throws IOException {
        check(one, "nftables");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void packets_led_by_iptables_go_where_they_should(Case one) throws IOException {
        check(one, "iptables");
    }

    private static void check(Case one, String gate) throws IOException {
        List<Map<String, Object>> flows = flows(one);
        Set<String> endpoints = prepare(one, flows);
        assertThat(RELAYS.get(gate).ask("apply " + one.id())).isEqualTo("ok []");
        for (Map<String, Object> flow : flows) {
            check(flow, endpoints);
        }
    }

    private static Set<String> prepare(Case one, List<Map<String, Object>> flows) {
        Set<String> endpoints = new TreeSet<>();
        NODES.stream().filter(address -> address.startsWith("192")).forEach(testbed::nodeAddress);
        testbed.nodeAddress("2001:db8::1");
        testbed.nodeAddress("2001:db8:1::2");
        one.slices().forEach(slice -> slice.endpoints().forEach(endpoint -> endpoints.add(endpoint.address().toString())));
        endpoints.forEach(address -> testbed.address(Testbed.ENDPOINTS, address));
        one.slices().forEach(slice -> slice.endpoints().forEach(endpoint -> slice.ports().stream()
                .filter(port -> !port.protocol().label().equals("sctp"))
                .forEach(port -> testbed.listen(endpoint.address().toString(), port.port(), port.protocol().label()))));
        flows.stream().map(flow -> (String) flow.get("from")).distinct()
                .filter(from -> !NODES.contains(from) && !endpoints.contains(from))
                .forEach(from -> testbed.address(Testbed.CLIENTS, from));
        return endpoints;
    }

    private static void check(Map<String, Object> flow, Set<String> endpoints) {
        String from = (String) flow.get("from");
        String machine = NODES.contains(from) ? Testbed.NODE : endpoints.contains(from) ? Testbed.ENDPOINTS : Testbed.CLIENTS;
        String to = (String) flow.get("to");
        String verdict = (String) flow.get("verdict");
        List<String> expected = texts(flow.get("endpoints"));
        String address = to.substring(0, to.lastIndexOf(':')).replaceAll("[\\[\\]]", "");
        String answer = testbed.connect(machine, from, address, Integer.parseInt(to.substring(to.lastIndexOf(':') + 1)),
                ((String) flow.get("protocol")).toLowerCase(Locale.ROOT), Math.max(1, 2 * expected.size()), verdict.equals("dnat") ? PATIENCE : SILENCE);
        String name = flow.get("name") + ", answered " + answer;
        switch (verdict) {
            case "drop", "reject" -> assertThat(answer).as(name).isEqualTo(verdict);
            case "dnat" -> {
                assertThat(answer).as(name).startsWith("dnat ");
                List<String> pairs = List.of(answer.substring("dnat ".length()).split(",", -1));
                // In turn, so that few connections find them all.
                assertThat(pairs.stream().map(pair -> pair.substring(0, pair.indexOf('=')))).as(name).containsExactlyInAnyOrderElementsOf(expected);
                assertThat(pairs).as(name).allSatisfy(pair -> assertThat(pair).matches(".*=(192\\.168\\..*|100\\.64\\..*|.*:.*)"));
            }
            default -> assertThat(answer).as(name).doesNotStartWith("dnat");
        }
    }
}
