package dev.cairn.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.EndpointHints;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.facts.TrafficFact;
import dev.cairn.proxy.packets.Testbed;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
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
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What changes in the kernel when plans change, and what packets see of it. */
@EnabledIf(value = "dev.cairn.proxy.packets.Testbed#isPossible", disabledReason = Testbed.NEEDS)
@ParameterizedClass
@EnumSource(value = Variant.class, names = {"NFT", "LEGACY"})
class IptablesBackendTest {
    private static final String CLIENT = "203.0.113.2";
    private static final String CLIENT6 = "2001:db8:5::1";
    private static final String VIP = "172.30.0.41";

    private static Testbed testbed;

    private final Variant variant;
    private final List<String> scripts = new ArrayList<>();
    private final ClusterModel model = new ClusterModel(
            new NodeView("node", "", addresses("192.168.0.2", "2001:db8::1"), List.of(), List.of()), _ -> {});
    private IptablesBackend backend;

    IptablesBackendTest(Variant variant) {
        this.variant = variant;
    }

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

    private IptablesBackend newBackend() {
        IptablesRunner recording = new IptablesRunner(testbed.inside(Testbed.NODE, List.of())) {
            @Override
            void restore(Variant kind, IpFamily family, String script) throws ApplyFailure {
                super.restore(kind, family, script);
                scripts.add(script);
            }
        };
        return NodeBackend.of(testbed, recording, variant);
    }

    private static List<Address> addresses(String... texts) {
        return Stream.of(texts).map(text -> Objects.requireNonNull(Address.parse(text))).toList();
    }

    private void service(String name, String vip, int affinity) {
        TrafficFact traffic = new TrafficFact(TrafficFact.Type.CLUSTER_IP, false, false, affinity, List.of(), 0, List.of());
        model.put(new ServiceFact("ns", name, ServiceFact.Kind.CLUSTER_IP, addresses(vip),
                List.of(new PortFact("tcp", Protocol.TCP, 80), new PortFact("udp", Protocol.UDP, 80)), "", List.of(), List.of(), List.of(),
                traffic));
    }

    /** A service with a load balancer's address, for some sources only. */
    private void balanced(String name, String vip, String balancer, String... sources) {
        TrafficFact traffic = new TrafficFact(
                TrafficFact.Type.LOAD_BALANCER, false, false, 0, List.of(sources), 0, addresses(balancer));
        model.put(new ServiceFact("ns", name, ServiceFact.Kind.CLUSTER_IP, addresses(vip),
                List.of(new PortFact("tcp", Protocol.TCP, 80, 30080)), "", List.of(), addresses(balancer), List.of(), traffic));
    }

    private void endpoints(String service, String... endpoints) {
        List<EndpointFact> facts = addresses(endpoints).stream()
                .map(address -> new EndpointFact(address, true, "", "", "node", "", true, false, EndpointHints.NONE)).toList();
        model.put(new SliceFact("ns", service + "-1", service, "",
                List.of(new PortFact("tcp", Protocol.TCP, 8080), new PortFact("udp", Protocol.UDP, 8080)), facts, 0));
    }

    private void apply() throws ApplyFailure {
        Set<ServiceName> changed = model.replan();
        backend.apply(desired(), changed);
    }

    private Backend.Desired desired() {
        LocalDetector pods = new LocalDetector.Ranges(List.of(AddressRange.parse("10.0.0.0/8"), AddressRange.parse("fd00:10::/32")));
        return new Backend.Desired(
                model.plans(), model.node(), new TrafficOptions(false, pods, NodePortAddresses.ALL, List.of(), false, true));
    }

    private void iptables(String arguments, String... last) {
        String program = variant.program(IpFamily.IPV4, "");
        List<String> words = new ArrayList<>(List.of(program.substring(0, program.length() - 1), "-w"));
        words.addAll(List.of(arguments.split(" ", -1)));
        words.addAll(List.of(last));
        Testbed.run(testbed.inside(Testbed.NODE, words));
    }

    private static String connect(String from, String vip, String protocol, int count) {
        return testbed.connect(Testbed.CLIENTS, from, vip, 80, protocol, count, 5);
    }

    private static List<String> answering(String answer) {
        assertThat(answer).startsWith("dnat ");
        return Stream.of(answer.substring(5).split(",", -1)).map(pair -> pair.substring(0, pair.indexOf('='))).distinct().toList();
    }

    private static String endpointChain(String port, Protocol protocol, String endpoint) {
        return Chain.ofEndpoint(port, protocol, new Endpoint(addresses(endpoint).getFirst(), 8080)).name();
    }

    @Test
    void an_endpoint_that_goes_changes_the_chains_of_its_service_only() throws ApplyFailure {
        service("svc", VIP, 0);
        service("other", "172.30.0.42", 0);
        endpoints("svc", "10.180.0.1", "10.180.0.2", "10.180.0.3");
        endpoints("other", "10.180.0.1");
        apply();
        assertThat(answering(connect(CLIENT, VIP, "tcp", 48))).hasSize(3);
        scripts.clear();
        endpoints("svc", "10.180.0.2", "10.180.0.3");
        apply();
        String chain = Chain.ofService("KUBE-SVC-", "ns/svc:tcp", Protocol.TCP).name();
        String gone = endpointChain("ns/svc:tcp", Protocol.TCP, "10.180.0.1");
        String stays = endpointChain("ns/svc:tcp", Protocol.TCP, "10.180.0.2");
        assertThat(scripts).as("restores").hasSize(1);
        assertThat(scripts.getFirst().lines())
                .contains(":" + chain + " - [0:0]", ":" + gone + " - [0:0]", "-X " + gone)
                .contains("-A " + chain + " -m comment --comment \"ns/svc:tcp -> 10.180.0.2:8080\" -m statistic --mode random"
                        + " --probability 0.5000000000 -j " + stays)
                .noneMatch(line -> line.contains("ns/other") || line.contains("KUBE-SERVICES") || line.startsWith(":" + stays));
        assertThat(answering(connect(CLIENT, VIP, "tcp", 48))).containsExactly("10.180.0.2:8080", "10.180.0.3:8080");
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
    }

    @Test
    void a_service_that_comes_or_goes_is_one_rule_of_the_shared_chain() throws ApplyFailure {
        service("svc", VIP, 0);
        endpoints("svc", "10.180.0.1");
        apply();
        scripts.clear();
        service("other", "172.30.0.42", 0);
        endpoints("other", "10.180.0.2");
        apply();
        assertThat(String.join("", scripts).lines().filter(line -> line.contains("KUBE-SERVICES"))).containsExactly(
                "-I KUBE-SERVICES 1 -d 172.30.0.42/32 -p tcp -m comment --comment \"ns/other:tcp cluster IP\" -m tcp --dport 80 -j "
                        + Chain.ofService("KUBE-SVC-", "ns/other:tcp", Protocol.TCP).name(),
                "-I KUBE-SERVICES 2 -d 172.30.0.42/32 -p udp -m comment --comment \"ns/other:udp cluster IP\" -m udp --dport 80 -j "
                        + Chain.ofService("KUBE-SVC-", "ns/other:udp", Protocol.UDP).name());
        assertThat(answering(connect(CLIENT, "172.30.0.42", "tcp", 1))).containsExactly("10.180.0.2:8080");
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
        model.remove(Resource.SERVICES, "ns", "other");
        apply();
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
        assertThat(answering(connect(CLIENT, VIP, "tcp", 1))).containsExactly("10.180.0.1:8080");
    }

    @Test
    void many_services_may_come_at_once_while_one_is_kept_for_later() throws ApplyFailure {
        apply();
        for (int i = 1; i < 150; i++) {
            service("svc" + i, "172.30.1." + i, 0);
            endpoints("svc" + i, "10.180.0.1");
        }
        ServiceName later = new ServiceName("ns", "svc7");
        Set<ServiceName> changed = new TreeSet<>(model.replan());
        changed.remove(later);
        backend.apply(desired(), changed);
        assertThat(answering(connect(CLIENT, "172.30.1.149", "tcp", 1))).containsExactly("10.180.0.1:8080");
        backend.apply(desired(), Set.of(later));
        assertThat(answering(connect(CLIENT, "172.30.1.7", "tcp", 1))).containsExactly("10.180.0.1:8080");
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
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
    void what_a_new_process_finds_it_adopts() throws ApplyFailure {
        service("svc", VIP, 10800);
        service("six", "fd00:172::41", 60);
        service("none", "172.30.0.43", 0);
        balanced("lb", "172.30.0.44", "192.0.2.1", "203.0.113.0/24");
        endpoints("svc", "10.180.0.1", "10.180.0.2", "10.180.0.3");
        endpoints("lb", "10.180.0.1");
        endpoints("six", "fd00:10::1", "fd00:10::2");
        apply();
        scripts.clear();
        backend = newBackend();
        apply();
        assertThat(scripts).as("commands for what is there already").isEmpty();
        model.remove(Resource.SERVICES, "ns", "six");
        backend = newBackend();
        apply();
        assertThat(scripts).hasSize(1).first().satisfies(script -> assertThat(script.lines())
                .contains("-X " + Chain.ofService("KUBE-SVC-", "ns/six:tcp", Protocol.TCP).name())
                .noneMatch(line -> line.contains(":KUBE-POSTROUTING")));
        assertThat(answering(connect(CLIENT, VIP, "tcp", 1))).hasSize(1);
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
        String answer = testbed.connect(Testbed.ENDPOINTS, "10.180.0.1", VIP, 80, "tcp", 1, 5);
        assertThat(answer).startsWith("dnat 10.180.0.1:8080=").doesNotEndWith("=10.180.0.1");
    }

    @Test
    void source_ranges_hold_with_and_without_endpoints() throws ApplyFailure {
        balanced("lb", "172.30.0.44", "192.0.2.1", "203.0.113.0/24");
        balanced("closed", "172.30.0.45", "192.0.2.2", "198.51.100.0/24");
        apply();
        assertThat(connect(CLIENT, "192.0.2.1", "tcp", 1)).isEqualTo("reject");
        assertThat(testbed.connect(Testbed.CLIENTS, CLIENT, "192.0.2.2", 80, "tcp", 1, 0.6)).isEqualTo("drop");
        assertThat(testbed.connect(Testbed.NODE, "192.168.0.2", "192.0.2.2", 80, "tcp", 1, 0.6)).as("the node itself").isEqualTo("drop");
        endpoints("lb", "10.180.0.1");
        endpoints("closed", "10.180.0.1");
        apply();
        assertThat(answering(connect(CLIENT, "192.0.2.1", "tcp", 1))).containsExactly("10.180.0.1:8080");
        assertThat(testbed.connect(Testbed.CLIENTS, CLIENT, "192.0.2.2", 80, "tcp", 1, 0.6)).isEqualTo("drop");
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
    }

    @Test
    void the_node_itself_is_refused_what_has_no_endpoints() throws ApplyFailure {
        balanced("lb", "172.30.0.44", "192.0.2.1");
        apply();
        for (String address : List.of("172.30.0.44", "192.0.2.1")) {
            assertThat(testbed.connect(Testbed.NODE, "192.168.0.2", address, 80, "tcp", 1, 5)).as(address).isEqualTo("reject");
        }
        assertThat(testbed.connect(Testbed.NODE, "127.0.0.1", "127.0.0.1", 30080, "tcp", 1, 5)).isEqualTo("reject");
    }

    @Test
    void after_a_foreign_flush_a_failed_change_is_applied_again() throws ApplyFailure {
        service("svc", VIP, 0);
        service("other", "172.30.0.42", 0);
        endpoints("svc", "10.180.0.1", "10.180.0.2");
        endpoints("other", "10.180.0.1");
        apply();
        iptables("-t nat -F");
        model.remove(Resource.SERVICES, "ns", "other");
        endpoints("svc", "10.180.0.1");
        assertThatThrownBy(this::apply).isInstanceOf(ApplyFailure.class).hasMessageContaining("-restore refused: ");
        apply();
        assertThat(answering(connect(CLIENT, VIP, "tcp", 20))).containsExactly("10.180.0.1:8080");
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
    }

    @Test
    void an_audit_names_what_drifted_and_apply_repairs_it() throws ApplyFailure {
        service("svc", VIP, 0);
        endpoints("svc", "10.180.0.1", "10.180.0.2");
        apply();
        String chain = Chain.ofService("KUBE-SVC-", "ns/svc:tcp", Protocol.TCP).name();
        iptables("-t nat -F " + chain);
        iptables("-t filter -D FORWARD -j KUBE-FORWARD -m comment --comment", "kubernetes forwarding rules");
        iptables("-t nat -N KUBE-SVC-AAAAAAAAAAAAAAAA");
        iptables("-t nat -A KUBE-SERVICES -j RETURN");
        assertThat(backend.audit(desired()).drift()).containsExactlyInAnyOrder(
                "chain " + chain + " of table nat has 0 rules that are not the 3 it should have",
                "chain KUBE-SERVICES of table nat has 4 rules that are not the 3 it should have",
                "chain KUBE-SVC-AAAAAAAAAAAAAAAA of table nat is left over",
                "chain FORWARD of table filter lacks -m comment --comment \"kubernetes forwarding rules\" -j KUBE-FORWARD");
        apply();
        assertThat(backend.audit(desired())).isEqualTo(Audit.CLEAN);
        assertThat(answering(connect(CLIENT, VIP, "tcp", 40))).hasSize(2);
    }

    @Test
    void a_chain_that_others_lead_to_is_emptied_and_stays() throws ApplyFailure {
        service("svc", VIP, 0);
        endpoints("svc", "10.180.0.1");
        apply();
        String chain = Chain.ofService("KUBE-SVC-", "ns/svc:tcp", Protocol.TCP).name();
        iptables("-t nat -N THEIRS");
        iptables("-t nat -A THEIRS -p tcp -j " + chain);
        model.remove(Resource.SERVICES, "ns", "svc");
        assertThatThrownBy(this::apply).isInstanceOf(ApplyFailure.class);
        apply();
        assertThat(backend.audit(desired())).isEqualTo(new Audit(List.of(),
                List.of("chain " + chain + " of table nat is left over, and rules of others lead to it")));
        iptables("-t nat -F THEIRS");
        iptables("-t nat -X THEIRS");
    }
}
