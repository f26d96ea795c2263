package dev.cairn.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.TrafficFact;
import dev.cairn.proxy.packets.BackendFlows;
import dev.cairn.proxy.packets.Testbed;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Audit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What changes in the kernel when plans change, and what packets see of it. */
@ParameterizedClass
@EnumSource(value = Variant.class, names = {"NFT", "LEGACY"})
class IptablesBackendTest extends BackendFlows<IptablesBackend> {
    private final Variant variant;

    IptablesBackendTest(Variant variant) {
        this.variant = variant;
    }

    @Override
    protected IptablesBackend newBackend() {
        IptablesRunner recording = new IptablesRunner(testbed.inside(Testbed.NODE, List.of())) {
            @Override
            void restore(Variant kind, IpFamily family, String script) throws ApplyFailure {
                super.restore(kind, family, script);
                scripts.add(script);
            }
        };
        return NodeBackend.of(testbed, recording, variant);
    }

    /** A service with a load balancer's address, for some sources only. */
    private void balanced(String name, String vip, String balancer, String... sources) {
        TrafficFact traffic = new TrafficFact(
                TrafficFact.Type.LOAD_BALANCER, false, false, 0, List.of(sources), 0, addresses(balancer));
        model.put(new ServiceFact("ns", name, ServiceFact.Kind.CLUSTER_IP, addresses(vip),
                List.of(new PortFact("tcp", Protocol.TCP, 80, 30080)), "", List.of(), addresses(balancer), List.of(), traffic));
    }

    @Override
    protected TrafficOptions options(LocalDetector pods) {
        return new TrafficOptions(false, pods, NodePortAddresses.ALL, List.of(), false, true);
    }

    private void iptables(String arguments, String... last) {
        String program = variant.program(IpFamily.IPV4, "");
        List<String> words = new ArrayList<>(List.of(program.substring(0, program.length() - 1), "-w"));
        words.addAll(List.of(arguments.split(" ", -1)));
        words.addAll(List.of(last));
        Testbed.run(testbed.inside(Testbed.NODE, words));
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
            assertThat(testbed.connect(Testbed.NODE, "192.168.0.2", address, 80, "tcp", 1, PATIENCE)).as(address).isEqualTo("reject");
        }
        assertThat(testbed.connect(Testbed.NODE, "127.0.0.1", "127.0.0.1", 30080, "tcp", 1, PATIENCE)).isEqualTo("reject");
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
