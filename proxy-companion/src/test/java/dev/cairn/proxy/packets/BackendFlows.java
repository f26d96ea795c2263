package dev.cairn.proxy.packets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.EndpointHints;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.facts.TrafficFact;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Audit;
import dev.cairn.proxy.sync.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What packets see when plans change, with any backend; and a node, clients, pods and plans for tests of what one does in the kernel. */
@EnabledIf(value = "dev.cairn.proxy.packets.Testbed#isPossible", disabledReason = Testbed.NEEDS)
public abstract class BackendFlows<B extends Backend> {
    protected static final String CLIENT = "203.0.113.2";
    protected static final String CLIENT6 = "2001:db8:5::1";
    protected static final String VIP = "172.30.0.41";
    /** Seconds that an answer may take. */
    protected static final double PATIENCE = 60;

    protected static Testbed testbed;

    /** What the backend had the kernel do. */
    protected final List<String> scripts = new ArrayList<>();
    protected final ClusterModel model = new ClusterModel(
            new NodeView("node", "", addresses("192.168.0.2", "2001:db8::1"), List.of(), List.of()), _ -> {});
    protected B backend;

    /** A backend as a new process has it, for the node of the testbed, which writes down its scripts. */
    protected abstract B newBackend();

    protected abstract TrafficOptions options(LocalDetector pods);

    @BeforeAll
    static void build() {
        testbed = new Testbed();
        testbed.nodeAddress("192.168.0.2");
        testbed.nodeAddress("2001:db8::1");
        testbed.address(Testbed.CLIENTS, CLIENT);
        testbed.address(Testbed.CLIENTS, CLIENT6);
        for (String endpoint : List.of("10.180.0.1", "10.180.0.2", "10.180.0.3", "fd00:10::1", "fd00:10::2")) {
            testbed.address(Testbed.ENDPOINTS, endpoint);
            testbed.listen(endpoint, 8080, "tcp");
            testbed.listen(endpoint, 8080, "udp");
        }
    }

    @AfterAll
    static void tearDown() {
        testbed.close();
    }

    @BeforeEach
    void start() {
        backend = newBackend();
    }

    @AfterEach
    void clear() throws ApplyFailure {
        backend.cleanUp();
    }

    protected static List<Address> addresses(String... texts) {
        return Stream.of(texts).map(text -> Objects.requireNonNull(Address.parse(text))).toList();
    }

    protected void service(String name, String vip, int affinity) {
        TrafficFact traffic = new TrafficFact(TrafficFact.Type.CLUSTER_IP, false, false, affinity, List.of(), 0, List.of());
        model.put(new ServiceFact("ns", name, ServiceFact.Kind.CLUSTER_IP, addresses(vip),
                List.of(new PortFact("tcp", Protocol.TCP, 80), new PortFact("udp", Protocol.UDP, 80)), "", List.of(), List.of(), List.of(),
                traffic));
    }

    protected void endpoints(String service, String... endpoints) {
        List<EndpointFact> facts = addresses(endpoints).stream()
                .map(address -> new EndpointFact(address, true, "", "", "node", "", true, false, EndpointHints.NONE)).toList();
        model.put(new SliceFact("ns", service + "-1", service, "",
                List.of(new PortFact("tcp", Protocol.TCP, 8080), new PortFact("udp", Protocol.UDP, 8080)), facts, 0));
    }

    protected void apply() throws ApplyFailure {
        Set<ServiceName> changed = model.replan();
        backend.apply(desired(), changed);
    }

    protected Backend.Desired desired() {
        LocalDetector pods = new LocalDetector.Ranges(List.of(AddressRange.parse("10.0.0.0/8"), AddressRange.parse("fd00:10::/32")));
        return new Backend.Desired(model.plans(), model.node(), options(pods));
    }

    protected static String connect(String from, String vip, String protocol, int count) {
        return testbed.connect(Testbed.CLIENTS, from, vip, 80, protocol, count, PATIENCE);
    }

    protected static List<String> answering(String answer) {
        assertThat(answer).as("refused: %s", testbed.ask(Testbed.CLIENTS, "why")).startsWith("dnat ");
        return Stream.of(answer.substring(5).split(",", -1)).map(pair -> pair.substring(0, pair.indexOf('='))).distinct().toList();
    }

    @Test
    void connections_are_spread_evenly_over_endpoints() throws ApplyFailure {
        service("svc", VIP, 0);
        endpoints("svc", "10.180.0.1", "10.180.0.2", "10.180.0.3");
        apply();
        Map<String, Long> counts = Stream.generate(() -> connect(CLIENT, VIP, "tcp", 1)).limit(300)
                .map(answer -> answering(answer).getFirst())
                .collect(Collectors.groupingBy(endpoint -> endpoint, Collectors.counting()));
        assertThat(counts).hasSize(3);
        // 100 each with a deviation of 8: six of those are never seen.
        assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(50L, 150L));
    }

    @Test
    void a_client_with_affinity_stays_until_its_endpoint_goes() throws ApplyFailure {
        service("svc", VIP, 10800);
        endpoints("svc", "10.180.0.1", "10.180.0.2", "10.180.0.3");
        apply();
        String first = answering(connect(CLIENT, VIP, "tcp", 1)).getFirst();
        assertThat(answering(connect(CLIENT, VIP, "tcp", 20))).containsExactly(first);
        endpoints("svc", Stream.of("10.180.0.1", "10.180.0.2", "10.180.0.3")
                .filter(address -> !first.startsWith(address + ":")).toArray(String[]::new));
        apply();
        List<String> next = answering(connect(CLIENT, VIP, "tcp", 20));
        assertThat(next).hasSize(1).doesNotContain(first);
    }

    @Test
    void ipv6_is_served_alike() throws ApplyFailure {
        service("plain", "fd00:172::41", 0);
        service("sticky", "fd00:172::42", 60);
        service("none", "fd00:172::43", 0);
        endpoints("plain", "fd00:10::1", "fd00:10::2");
        endpoints("sticky", "fd00:10::1", "fd00:10::2");
        apply();
        assertThat(answering(connect(CLIENT6, "fd00:172::41", "tcp", 32))).hasSize(2);
        assertThat(answering(connect(CLIENT6, "fd00:172::42", "tcp", 20))).hasSize(1);
        assertThat(connect(CLIENT6, "fd00:172::43", "tcp", 1)).isEqualTo("reject");
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
    }

    @Test
    void udp_is_served_and_refused_alike() throws ApplyFailure {
        service("svc", VIP, 0);
        apply();
        assertThat(connect(CLIENT, VIP, "udp", 1)).isEqualTo("reject");
        endpoints("svc", "10.180.0.1", "10.180.0.2");
        apply();
        assertThat(answering(connect(CLIENT, VIP, "udp", 32))).hasSize(2);
    }

    @Test
    void an_endpoint_reaches_itself_by_its_service() throws ApplyFailure {
        service("svc", VIP, 0);
        endpoints("svc", "10.180.0.1");
        apply();
        String answer = testbed.connect(Testbed.ENDPOINTS, "10.180.0.1", VIP, 80, "tcp", 1, PATIENCE);
        assertThat(answer).startsWith("dnat 10.180.0.1:8080=").doesNotEndWith("=10.180.0.1");
    }
}
