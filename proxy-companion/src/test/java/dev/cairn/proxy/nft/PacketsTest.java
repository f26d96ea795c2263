package dev.cairn.proxy.nft;

import static dev.cairn.proxy.conformance.Facts.list;
import static dev.cairn.proxy.conformance.Facts.map;
import static dev.cairn.proxy.conformance.Facts.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.control.IpFamily;
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
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The flows of the conformance file as real packets through the rules in the kernel. */
@EnabledIf(value = "dev.cairn.proxy.nft.Testbed#isPossible", disabledReason = Testbed.NEEDS)
class PacketsTest {
    private static final Set<String> NODES = Set.of("192.168.0.2", "192.168.1.2", "127.0.0.1");
    private static final double SILENCE = 0.6;
    private static final double PATIENCE = 60;

    private static Testbed testbed;
    private static NftBackend backend;

    @BeforeAll
    static void build() {
        testbed = new Testbed();
        backend = new NftBackend(new NftRunner(testbed.inside(Testbed.NODE, List.of())), testbed.elements(Testbed.NODE), Set.of(IpFamily.values()), 14);
    }

    @AfterAll
    static void tearDown() {
        testbed.close();
    }

    @AfterEach
    void clear() throws ApplyFailure {
        backend.cleanUp();
        testbed.clear();
    }

    static Stream<Case> flows() {
        return Facts.cases().stream().filter(one -> one.expect().containsKey("flows") && one.modes().contains("nftables"));
    }

    /** TCP and UDP flows of clients that can be made here: a load balancer's own address as a client cannot. */
    private static List<Map<String, Object>> flows(Case one) {
        return list(one.expect().get("flows")).stream()
                .map(Facts::map)
                .filter(flow -> !flow.get("protocol").equals("SCTP") && !flow.get("name").toString().contains("iptables only)"))
                .filter(flow -> !Set.of("1.2.3.4", "5.6.7.8").contains(flow.get("from")))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("flows")
    void packets_really_go_where_they_should(Case one) throws ApplyFailure {
        List<Map<String, Object>> flows = flows(one);
        Set<String> endpoints = prepare(one, flows);
        ClusterModel model = ProxyConformanceTest.model(one);
        backend.apply(new Backend.Desired(model.plans(), model.node(), ProxyConformanceTest.options(one, "nftables")), model.plans().keySet());
        for (Map<String, Object> flow : flows) {
            check(flow, endpoints);
        }
    }

    private static Set<String> prepare(Case one, List<Map<String, Object>> flows) {
        Set<String> endpoints = new TreeSet<>();
        NODES.stream().filter(address -> !address.startsWith("127")).forEach(testbed::nodeAddress);
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
        int count = expected.size() < 2 ? 1 : 16 * expected.size();   // one of two is missed once in 2^31
        String answer = testbed.connect(machine, from, to.substring(0, to.lastIndexOf(':')), Integer.parseInt(to.substring(to.lastIndexOf(':') + 1)),
                ((String) flow.get("protocol")).toLowerCase(Locale.ROOT), count, Set.of("dnat", "reject").contains(verdict) ? PATIENCE : SILENCE);
        String name = (String) flow.get("name");
        if (!verdict.equals("dnat")) {
            assertThat(answer).as(name).satisfies(word -> assertThat(verdict.equals("none") ? !word.startsWith("dnat") : word.equals(verdict))
                    .as("%s is %s", word, verdict).isTrue());
            return;
        }
        assertThat(answer).as(name).startsWith("dnat ");
        List<String> pairs = List.of(answer.substring("dnat ".length()).split(",", -1));
        assertThat(pairs.stream().map(pair -> pair.substring(0, pair.indexOf('='))).distinct()).as(name).containsExactlyInAnyOrderElementsOf(expected);
        for (String pair : pairs) {
            String seen = pair.substring(pair.indexOf('=') + 1);
            if (map(flow).get("masquerade") instanceof Boolean masquerade && !(masquerade && machine.equals(Testbed.NODE))) {
                assertThat(!seen.equals(from)).as("%s: %s is masqueraded", name, pair).isEqualTo(masquerade);
            }
        }
    }
}
