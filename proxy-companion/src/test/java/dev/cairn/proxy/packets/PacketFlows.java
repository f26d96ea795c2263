package dev.cairn.proxy.packets;

import static dev.cairn.proxy.conformance.Facts.list;
import static dev.cairn.proxy.conformance.Facts.map;
import static dev.cairn.proxy.conformance.Facts.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.proxy.conformance.Facts;
import dev.cairn.proxy.conformance.Facts.Case;
import dev.cairn.proxy.conformance.ProxyConformanceTest;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Backend;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The flows of the conformance file as real packets through what a backend has in the kernel. */
@EnabledIf(value = "dev.cairn.proxy.packets.Testbed#isPossible", disabledReason = Testbed.NEEDS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class PacketFlows {
    private static final Set<String> NODES = Set.of("192.168.0.2", "192.168.1.2", "2001:db8::1", "2001:db8:1::2");
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "::1");
    private static final double SILENCE = 0.6;
    private static final double PATIENCE = 60;

    private final String mode;
    private Testbed testbed;
    private Backend backend;

    /** For the flows that are said to hold in a mode. */
    protected PacketFlows(String mode) {
        this.mode = mode;
    }

    /** A backend that programs the machine {@code Testbed.NODE}. */
    protected abstract Backend backend(Testbed on);

    @BeforeAll
    void build() {
        testbed = new Testbed();
        backend = backend(testbed);
    }

    @AfterAll
    void tearDown() {
        backend.close();
        testbed.close();
    }

    @AfterEach
    void clear() throws ApplyFailure {
        backend.cleanUp();
        testbed.clear();
    }

    Stream<Case> flows() {
        return Facts.cases().stream().filter(one -> one.expect().containsKey("flows") && one.modes().contains(mode));
    }

    /** Flows of clients that can be made here: a load balancer's own address as a client cannot. */
    private List<Map<String, Object>> flows(Case one) {
        return list(one.expect().get("flows")).stream()
                .map(Facts::map)
                .filter(flow -> carries(((String) flow.get("protocol")).toLowerCase(Locale.ROOT)))
                .filter(flow -> !flow.get("name").toString().contains("only)") || flow.get("name").toString().contains(mode))
                .filter(flow -> !Set.of("1.2.3.4", "5.6.7.8").contains(flow.get("from")))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("flows")
    void packets_really_go_where_they_should(Case one) throws ApplyFailure {
        List<Map<String, Object>> flows = flows(one);
        Set<String> endpoints = prepare(one, flows);
        program(backend, one);
        for (Map<String, Object> flow : flows) {
            check(flow, endpoints);
        }
    }

    /** Makes a case so. */
    protected void program(Backend programming, Case one) throws ApplyFailure {
        ClusterModel model = ProxyConformanceTest.model(one);
        programming.apply(new Backend.Desired(model.plans(), model.node(), ProxyConformanceTest.options(one, mode)), model.plans().keySet());
    }

    /** Whether endpoints see clients where the file says so, and not the node always. */
    protected boolean keepsSources() {
        return true;
    }

    /** Whether the backend serves a protocol. */
    protected boolean carries(String protocol) {
        return true;
    }

    private Set<String> prepare(Case one, List<Map<String, Object>> flows) {
        Set<String> endpoints = new TreeSet<>();
        NODES.forEach(testbed::nodeAddress);
        one.slices().forEach(slice -> slice.endpoints().forEach(endpoint -> endpoints.add(endpoint.address().toString())));
        endpoints.forEach(address -> testbed.address(Testbed.ENDPOINTS, address));
        one.slices().forEach(slice -> slice.endpoints().forEach(endpoint -> slice.ports().stream()
                .filter(port -> carries(port.protocol().label()))
                .forEach(port -> testbed.listen(endpoint.address().toString(), port.port(), port.protocol().label()))));
        flows.stream().map(flow -> (String) flow.get("from")).distinct()
                .filter(from -> !isNode(from) && !endpoints.contains(from))
                .forEach(from -> testbed.address(Testbed.CLIENTS, from));
        return endpoints;
    }

    private static boolean isNode(String address) {
        return NODES.contains(address) || LOOPBACK.contains(address);
    }

    private void check(Map<String, Object> flow, Set<String> endpoints) {
        String from = (String) flow.get("from");
        String machine = isNode(from) ? Testbed.NODE : endpoints.contains(from) ? Testbed.ENDPOINTS : Testbed.CLIENTS;
        String to = (String) flow.get("to");
        String verdict = (String) flow.get("verdict");
        List<String> expected = texts(flow.get("endpoints"));
        int count = expected.size() < 2 ? 1 : 16 * expected.size();   // one of two is missed once in 2^31
        int colon = to.lastIndexOf(':');
        String address = to.substring(0, colon).replaceAll("[\\[\\]]", "");
        String answer = testbed.connect(machine, from, address, Integer.parseInt(to.substring(colon + 1)),
                ((String) flow.get("protocol")).toLowerCase(Locale.ROOT), count, Set.of("dnat", "reject").contains(verdict) ? PATIENCE : SILENCE);
        String name = (String) flow.get("name");
        if (!verdict.equals("dnat")) {
            assertThat(answer).as(name).satisfies(word -> assertThat(Set.of("none", "accept").contains(verdict) ? !word.startsWith("dnat") : word.equals(verdict))
                    .as("%s is %s", word, verdict).isTrue());
            return;
        }
        assertThat(answer).as(name).startsWith("dnat ");
        List<String> pairs = List.of(answer.substring("dnat ".length()).split(",", -1));
        assertThat(pairs.stream().map(pair -> pair.substring(0, pair.indexOf('='))).distinct()).as(name).containsExactlyInAnyOrderElementsOf(expected);
        for (String pair : pairs) {
            String seen = pair.substring(pair.indexOf('=') + 1);
            if (map(flow).get("masquerade") instanceof Boolean masquerade && !(machine.equals(Testbed.NODE) && (masquerade || !keepsSources()))) {
                assertThat(!seen.equals(from)).as("%s: %s is masqueraded", name, pair).isEqualTo(masquerade || !keepsSources());
            }
        }
    }
}
