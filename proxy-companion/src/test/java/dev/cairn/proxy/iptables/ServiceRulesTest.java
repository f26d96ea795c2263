package dev.cairn.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.EndpointHints;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.facts.TrafficFact;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.Planner;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.Backend;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of a service that has everything, as kube-proxy writes them and iptables-save prints them. */
class ServiceRulesTest {
    private static final NodeView NODE = new NodeView("n1", "", addresses("192.168.0.2"), List.of(), List.of());
    private static final LocalDetector PODS = new LocalDetector.Ranges(List.of(AddressRange.parse("10.1.0.0/16")));
    private static final KernelFacts COUNTING = new KernelFacts() {
        @Override
        public boolean countsPackets() {
            return true;
        }
    };

    private static List<Address> addresses(String... texts) {
        return Stream.of(texts).map(text -> Objects.requireNonNull(Address.parse(text))).toList();
    }

    private static ServicePlan plan(String... endpoints) {
        TrafficFact traffic = new TrafficFact(
                TrafficFact.Type.LOAD_BALANCER, false, true, 10800, List.of("203.0.113.0/24"), 30099, addresses("192.0.2.1"));
        ServiceFact service = new ServiceFact("shop", "web", ServiceFact.Kind.CLUSTER_IP, addresses("10.96.0.20"),
                List.of(new PortFact("http", Protocol.TCP, 80, 30080)), "", List.of(), addresses("192.0.2.1"), List.of(), traffic);
        List<EndpointFact> facts = addresses(endpoints).stream()
                .map(address -> new EndpointFact(address, true, "", "", "n" + address.bytes()[3], "", true, false, EndpointHints.NONE))
                .toList();
        SliceFact slice = new SliceFact("shop", "web-1", "web", "", List.of(new PortFact("http", Protocol.TCP, 8080)), facts, 0);
        return Objects.requireNonNull(Planner.plan(service, List.of(slice), NODE));
    }

    private static ServiceRules.Content content(NodePortAddresses nodePorts, String... endpoints) {
        TrafficOptions options = new TrafficOptions(false, PODS, nodePorts, List.of(), false, true);
        Layout layout = Layout.of(IpFamily.IPV4, new Backend.Desired(Map.of(), NODE, options), 14, COUNTING);
        return new ServiceRules(layout).of(plan(endpoints));
    }

    private static String endpointChain(String address) {
        return Chain.ofEndpoint("shop/web:http", Protocol.TCP, new Endpoint(addresses(address).getFirst(), 8080)).name();
    }

    private static Chain nat(String name) {
        return new Chain(Table.NAT, name);
    }

    @Test
    void a_service_with_everything_has_the_rules_of_kube_proxy() {
        ServiceRules.Content content = content(NodePortAddresses.ALL, "10.1.0.1", "10.1.0.2");
        String own = endpointChain("10.1.0.1");
        String other = endpointChain("10.1.0.2");
        String recent = " --mask 255.255.255.255 --rsource";
        assertThat(content.own()).isEqualTo(Map.of(
                nat(own), List.of(
                        "-s 10.1.0.1/32 -m comment --comment \"shop/web:http\" -j KUBE-MARK-MASQ",
                        "-p tcp -m comment --comment \"shop/web:http\" -m recent --set --name " + own + recent
                                + " -m tcp -j DNAT --to-destination 10.1.0.1:8080"),
                nat(other), List.of(
                        "-s 10.1.0.2/32 -m comment --comment \"shop/web:http\" -j KUBE-MARK-MASQ",
                        "-p tcp -m comment --comment \"shop/web:http\" -m recent --set --name " + other + recent
                                + " -m tcp -j DNAT --to-destination 10.1.0.2:8080"),
                nat("KUBE-SVC-67NZLRHBNDSAWJRO"), List.of(
                        "! -s 10.1.0.0/16 -d 10.96.0.20/32 -p tcp -m comment --comment \"shop/web:http cluster IP\""
                                + " -m tcp --dport 80 -j KUBE-MARK-MASQ",
                        "-m comment --comment \"shop/web:http -> 10.1.0.1:8080\""
                                + " -m recent --rcheck --seconds 10800 --reap --name " + own + recent + " -j " + own,
                        "-m comment --comment \"shop/web:http -> 10.1.0.2:8080\""
                                + " -m recent --rcheck --seconds 10800 --reap --name " + other + recent
                                + " -j " + other,
                        "-m comment --comment \"shop/web:http -> 10.1.0.1:8080\""
                                + " -m statistic --mode random --probability 0.5000000000 -j " + own,
                        "-m comment --comment \"shop/web:http -> 10.1.0.2:8080\" -j " + other),
                nat("KUBE-SVL-67NZLRHBNDSAWJRO"), List.of(
                        "-m comment --comment \"shop/web:http -> 10.1.0.1:8080\""
                                + " -m recent --rcheck --seconds 10800 --reap --name " + own + recent + " -j " + own,
                        "-m comment --comment \"shop/web:http -> 10.1.0.1:8080\" -j " + own),
                nat("KUBE-EXT-67NZLRHBNDSAWJRO"), List.of(
                        "-s 10.1.0.0/16 -m comment --comment \"pod traffic for shop/web:http external destinations\""
                                + " -j KUBE-SVC-67NZLRHBNDSAWJRO",
                        "-m comment --comment \"masquerade LOCAL traffic for shop/web:http external destinations\""
                                + " -m addrtype --src-type LOCAL -j KUBE-MARK-MASQ",
                        "-m comment --comment \"route LOCAL traffic for shop/web:http external destinations\" -m addrtype --src-type LOCAL"
                                + " -j KUBE-SVC-67NZLRHBNDSAWJRO",
                        "-j KUBE-SVL-67NZLRHBNDSAWJRO"),
                nat("KUBE-FW-67NZLRHBNDSAWJRO"), List.of(
                        "-s 203.0.113.0/24 -m comment --comment \"shop/web:http loadbalancer IP\" -j KUBE-EXT-67NZLRHBNDSAWJRO",
                        "-m comment --comment \"other traffic to shop/web:http will be dropped by KUBE-PROXY-FIREWALL\"")));
        assertThat(content.shared()).isEqualTo(Map.of(
                Chain.NAT_SERVICES, List.of(
                        "-d 10.96.0.20/32 -p tcp -m comment --comment \"shop/web:http cluster IP\""
                                + " -m tcp --dport 80 -j KUBE-SVC-67NZLRHBNDSAWJRO",
                        "-d 192.0.2.1/32 -p tcp -m comment --comment \"shop/web:http loadbalancer IP\""
                                + " -m tcp --dport 80 -j KUBE-FW-67NZLRHBNDSAWJRO"),
                Chain.NAT_NODEPORTS, List.of(
                        "-d 127.0.0.0/8 -p tcp -m comment --comment \"shop/web:http\" -m tcp --dport 30080"
                                + " -m nfacct --nfacct-name localhost_nps_accepted_pkts -j KUBE-EXT-67NZLRHBNDSAWJRO",
                        "-p tcp -m comment --comment \"shop/web:http\" -m tcp --dport 30080 -j KUBE-EXT-67NZLRHBNDSAWJRO"),
                Chain.FIREWALL, List.of("-d 192.0.2.1/32 -p tcp -m comment --comment"
                        + " \"shop/web:http traffic not accepted by KUBE-FW-67NZLRHBNDSAWJRO\" -m tcp --dport 80 -j DROP"),
                Chain.NODEPORTS, List.of("-p tcp -m comment --comment \"shop/web health check node port\""
                        + " -m tcp --dport 30099 -j ACCEPT")));
    }

    @Test
    void without_a_local_endpoint_the_outside_is_dropped() {
        ServiceRules.Content content = content(NodePortAddresses.ALL, "10.1.0.2");
        assertThat(content.own()).doesNotContainKey(nat("KUBE-SVL-67NZLRHBNDSAWJRO"));
        assertThat(content.shared().get(Chain.EXTERNAL)).containsExactly("-p tcp"
                + " -m comment --comment \"shop/web:http has no local endpoints\""
                + " -m addrtype --dst-type LOCAL -m tcp --dport 30080 -j DROP");
    }

    @Test
    void node_ports_are_refused_only_where_they_are_found() {
        ServiceRules.Content content = content(NodePortAddresses.parse(List.of("192.168.0.0/24")));
        assertThat(content.own()).isEmpty();
        assertThat(content.shared().get(Chain.EXTERNAL)).containsExactly("-d 192.168.0.2/32 -p tcp"
                + " -m comment --comment \"shop/web:http has no endpoints\""
                + " -m tcp --dport 30080 -j REJECT --reject-with icmp-port-unreachable");
    }
}
