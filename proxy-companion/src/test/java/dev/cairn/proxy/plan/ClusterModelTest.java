package dev.cairn.proxy.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.EndpointHints;
import dev.cairn.facts.NodeFact;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.facts.TrafficFact;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClusterModelTest {
    private final List<String> log = new ArrayList<>();
    private final ClusterModel model = new ClusterModel(new NodeView("n", "", List.of(), List.of(), List.of()), log::add);

    private static Address address(String text) {
        return Objects.requireNonNull(Address.parse(text));
    }

    private static ServiceFact service(String name, String clusterIp, String externalIp) {
        return new ServiceFact("ns", name, ServiceFact.Kind.CLUSTER_IP, List.of(address(clusterIp)), List.of(new PortFact("", Protocol.TCP, 80)), "",
                List.of(address(externalIp)), List.of(), List.of());
    }

    private static SliceFact slice(String service, String... endpoints) {
        List<EndpointFact> facts = Stream.of(endpoints)
                .map(text -> new EndpointFact(address(text), true, "", "", "", "")).toList();
        return new SliceFact("ns", service + "-1", service, "", List.of(new PortFact("", Protocol.TCP, 8080)), facts, 0);
    }

    private List<String> frontends(String service) {
        return model.plans().get(new ServiceName("ns", service)).ports().stream()
                .flatMap(port -> port.frontends().stream()).map(Frontend::toString).toList();
    }

    @Test
    void a_change_plans_its_own_service_again_and_no_other() {
        model.put(service("a", "10.0.0.1", "192.0.2.1"));
        model.put(service("b", "10.0.0.2", "192.0.2.2"));
        assertThat(model.replan()).hasSize(2);
        model.put(slice("b", "10.1.0.1"));
        assertThat(model.replan()).containsExactly(new ServiceName("ns", "b"));
        model.put(slice("b", "10.1.0.1"));
        assertThat(model.replan()).as("the same again").isEmpty();
        model.remove(Resource.SERVICES, "ns", "a");
        assertThat(model.replan()).containsExactly(new ServiceName("ns", "a"));
        assertThat(model.plans()).containsOnlyKeys(new ServiceName("ns", "b"));
    }

    @Test
    void of_two_that_want_the_same_address_and_port_the_first_by_name_has_it_whenever_it_comes() {
        model.put(service("b", "10.0.0.2", "192.0.2.1"));
        model.replan();
        assertThat(frontends("b")).contains("external IP 192.0.2.1:80/TCP");
        model.put(service("a", "10.0.0.1", "192.0.2.1"));
        assertThat(model.replan()).hasSize(2);
        assertThat(frontends("a")).contains("external IP 192.0.2.1:80/TCP");
        assertThat(frontends("b")).containsExactly("cluster IP 10.0.0.2:80/TCP");
        assertThat(log).containsExactly(
                "service ns/b cannot have 192.0.2.1:80/TCP, which service ns/a has: give one of them another address or port");
        model.remove(Resource.SERVICES, "ns", "a");
        model.replan();
        assertThat(frontends("b")).contains("external IP 192.0.2.1:80/TCP");
    }

    @Test
    void a_slice_that_changes_its_service_leaves_the_other() {
        model.put(service("a", "10.0.0.1", "192.0.2.1"));
        model.put(slice("a", "10.1.0.1"));
        model.replan();
        model.put(new SliceFact("ns", "a-1", "b", "", List.of(), List.of(), 0));
        model.replan();
        assertThat(model.plans().get(new ServiceName("ns", "a")).ports().getFirst().sets()).isEqualTo(EndpointSets.NONE);
    }

    @Test
    void the_node_tells_zone_and_addresses_and_that_it_goes() {
        model.put(service("a", "10.0.0.1", "192.0.2.1"));
        model.replan();
        model.put(new NodeFact("n", "z1", List.of(address("192.168.0.2")), List.of("10.1.0.0/24"), true));
        model.put(new NodeFact("another", "z2", List.of(address("192.168.0.3")), List.of(), false));
        model.replan();
        assertThat(model.node().zone()).isEqualTo("z1");
        assertThat(model.node().addresses()).containsExactly(address("192.168.0.2"));
        assertThat(model.isLeaving()).isTrue();
    }

    @Test
    void a_chosen_address_stays_the_nodes_primary_one_and_interfaces_may_change() {
        ClusterModel bound = new ClusterModel(new NodeView("n", "", List.of(), List.of(), List.of()), address("192.168.0.9"), log::add);
        bound.put(new NodeFact("n", "", List.of(address("192.168.0.2"), address("fd00::2")), List.of(), false));
        assertThat(bound.node().addresses()).containsExactly(address("192.168.0.9"), address("192.168.0.2"), address("fd00::2"));
        bound.interfaces(List.of(address("192.168.0.9")));
        bound.put(new NodeFact("n", "z", List.of(), List.of(), false));
        assertThat(bound.node().interfaces()).containsExactly(address("192.168.0.9"));
        assertThat(bound.node().addresses()).startsWith(address("192.168.0.9"));
    }

    @Test
    void a_pod_with_an_address_of_each_family_is_one_to_a_load_balancer() {
        TrafficFact traffic = new TrafficFact(TrafficFact.Type.LOAD_BALANCER, false, true, 0, List.of(), 32000, List.of());
        model.put(new ServiceFact("ns", "lb", ServiceFact.Kind.CLUSTER_IP, List.of(address("10.0.0.1"), address("fd00::1")),
                List.of(new PortFact("", Protocol.TCP, 80)), "", List.of(), List.of(), List.of(), traffic));
        model.put(local("lb-4", "10.1.0.1", "10.1.0.2"));
        model.put(local("lb-6", "fd00:1::1"));
        model.replan();
        assertThat(model.plans().get(new ServiceName("ns", "lb")).localReady()).isEqualTo(2);
    }

    private static SliceFact local(String name, String... endpoints) {
        List<EndpointFact> facts = Stream.of(endpoints)
                .map(text -> new EndpointFact(address(text), true, "", "", "n", "", true, false, EndpointHints.NONE)).toList();
        return new SliceFact("ns", name, "lb", "", List.of(new PortFact("", Protocol.TCP, 8080)), facts, 0);
    }
}
