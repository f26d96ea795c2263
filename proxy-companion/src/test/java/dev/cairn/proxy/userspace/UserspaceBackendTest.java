package dev.cairn.proxy.userspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Backend;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jspecify.annotations.Nullable;

/** Listeners and redirects as plans change, with a gate that only remembers. */
class UserspaceBackendTest {
    private static final ServiceName WEB = new ServiceName("ns", "web");

    private final RememberingGate gate = new RememberingGate();
    private final List<ServicePlan> flows = new ArrayList<>();
    private final UserspaceBackend backend = backend(List.of(gate));
    private final ClusterModel model = new ClusterModel(
            new NodeView("node", "", addresses("127.0.0.1"), addresses("127.0.0.1"), List.of()), _ -> {});

    private static final class RememberingGate implements Gate {
        private @Nullable String reason;
        private boolean failing;
        private int cleaned;
        private final Map<ServiceName, List<Redirect>> last = new HashMap<>();
        private Set<ServiceName> changed = Set.of();

        @Override
        public @Nullable String probe(List<Crossing> crossings) {
            return reason;
        }

        @Override
        public void apply(List<Crossing> crossings, Map<ServiceName, List<Redirect>> redirects, Set<ServiceName> those) throws ApplyFailure {
            if (failing) {
                throw new ApplyFailure("the kernel is busy", false);
            }
            last.clear();
            last.putAll(redirects);
            changed = Set.copyOf(those);
        }

        @Override
        public String render(List<Crossing> crossings, Map<ServiceName, List<Redirect>> redirects) {
            return redirects.toString();
        }

        @Override
        public List<String> audit(List<Crossing> crossings, Map<ServiceName, List<Redirect>> redirects, boolean portsKnown) {
            return List.of();
        }

        @Override
        public List<String> cleanUp() {
            cleaned++;
            return List.of();
        }
    }

    private UserspaceBackend backend(List<Gate> gates) {
        return new UserspaceBackend(Set.of(IpFamily.IPV4), 0, new RelayLimits(10, 10, Duration.ofSeconds(60)), gates, this::flows);
    }

    private void flows(Collection<ServicePlan> plans) {
        flows.clear();
        flows.addAll(plans);
    }

    @AfterEach
    void close() {
        backend.close();
    }

    private static List<Address> addresses(String... texts) {
        return Stream.of(texts).map(text -> Objects.requireNonNull(Address.parse(text))).toList();
    }

    private void service(String name, String vip, Protocol... protocols) {
        TrafficFact traffic = new TrafficFact(TrafficFact.Type.NODE_PORT, false, true, 0, List.of(), 0, List.of());
        List<PortFact> ports = Stream.of(protocols).map(protocol -> new PortFact(protocol.label(), protocol, 80, 30000 + name.length())).toList();
        model.put(new ServiceFact("ns", name, ServiceFact.Kind.CLUSTER_IP, addresses(vip), ports, "", List.of(), List.of(), List.of(), traffic));
    }

    private void endpoints(String service, int port, String node, String... endpoints) {
        List<EndpointFact> facts = addresses(endpoints).stream()
                .map(address -> new EndpointFact(address, true, "", "", node, "", true, false, EndpointHints.NONE)).toList();
        List<PortFact> ports = Stream.of(Protocol.values()).map(protocol -> new PortFact(protocol.label(), protocol, port)).toList();
        model.put(new SliceFact("ns", service + "-1", service, "", ports, facts, 0));
    }

    private Backend.Desired desired() {
        return new Backend.Desired(model.plans(), model.node(),
                new TrafficOptions(false, LocalDetector.none(), NodePortAddresses.ALL, List.of(), false, true));
    }

    private void apply() throws ApplyFailure {
        backend.apply(desired(), model.replan());
    }

    private Redirect redirect(int index) {
        return gate.last.get(WEB).get(index);
    }

    @Test
    void a_listener_stays_while_its_endpoints_change_and_goes_with_them() throws ApplyFailure, IOException {
        service("web", "172.30.0.1", Protocol.TCP);
        service("other", "172.30.0.2", Protocol.TCP);
        endpoints("web", 8080, "node", "127.0.0.1");
        apply();
        int port = redirect(0).port();
        assertThat(redirect(0)).as("cluster IP").satisfies(one -> assertThat(one.outsideDiffers() || one.isRefusing()).isFalse());
        assertThat(redirect(1)).as("node port, policy Local").satisfies(one -> assertThat(one.outsideDiffers() && one.outsidePort() != port).isTrue());
        assertThat(gate.last.get(new ServiceName("ns", "other"))).allSatisfy(one -> assertThat(one.isRefusing() && one.reject()).isTrue());
        endpoints("web", 8080, "elsewhere", "127.0.0.1", "127.0.0.2");
        apply();
        assertThat(gate.changed).containsExactly(WEB);
        assertThat(redirect(0).port()).isEqualTo(port);
        assertThat(redirect(1)).as("no endpoint here").satisfies(one -> assertThat(one.isRefusing() && !one.reject()).isTrue());
        model.remove(Resource.SERVICES, "ns", "web");
        apply();
        assertThat(gate.last).doesNotContainKey(WEB);
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close()).isInstanceOf(IOException.class);
    }

    @Test
    void what_the_gate_did_not_take_is_given_to_it_again_as_a_whole() throws ApplyFailure, IOException {
        service("web", "172.30.0.1", Protocol.TCP);
        service("other", "172.30.0.2", Protocol.TCP);
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            endpoints("web", server.getLocalPort(), "node", "127.0.0.1");
            apply();
            int port = redirect(0).port();
            model.remove(Resource.SERVICES, "ns", "web");
            gate.failing = true;
            assertThatThrownBy(this::apply).isInstanceOf(ApplyFailure.class);
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port); Socket served = server.accept()) {
                assertThat(client.isConnected() && served.isConnected()).as("what packets are still led to still listens").isTrue();
            }
            gate.failing = false;
            backend.apply(desired(), Set.of());
            assertThat(gate.changed).containsExactlyInAnyOrder(WEB, new ServiceName("ns", "other"));
        }
    }

    @Test
    void the_connection_tracker_hears_of_listeners() throws ApplyFailure {
        service("web", "172.30.0.1", Protocol.UDP);
        endpoints("web", 8080, "elsewhere", "127.0.0.1");
        apply();
        assertThat(flows.getFirst().ports().getFirst().serving().toString()).isEqualTo("[127.0.0.1:" + redirect(0).port() + "]");
    }

    @Test
    void sctp_is_refused() throws ApplyFailure {
        service("web", "172.30.0.1", Protocol.SCTP);
        endpoints("web", 8080, "node", "127.0.0.1");
        apply();
        assertThat(gate.last.get(WEB)).hasSize(2).allSatisfy(one -> assertThat(one.isRefusing() && one.reject()).isTrue());
    }

    @Test
    void its_rules_go_when_it_ends_and_only_if_it_has_any() throws ApplyFailure {
        backend.close();
        assertThat(gate.cleaned).isZero();
        service("web", "172.30.0.1", Protocol.TCP);
        endpoints("web", 8080, "node", "127.0.0.1");
        apply();
        backend.close();
        backend.close();
        assertThat(gate.cleaned).isOne();
    }

    @Test
    void the_next_gate_is_taken_and_without_any_the_reasons_are_told() throws ApplyFailure {
        RememberingGate none = new RememberingGate();
        none.reason = "cannot run nft";
        service("web", "172.30.0.1", Protocol.TCP);
        endpoints("web", 8080, "node", "127.0.0.1");
        model.replan();
        try (UserspaceBackend second = backend(List.of(none, gate))) {
            second.apply(desired(), Set.of());
        }
        assertThat(gate.last).containsKey(WEB);
        RememberingGate neither = new RememberingGate();
        neither.reason = "cannot run iptables-restore";
        try (UserspaceBackend third = backend(List.of(none, neither))) {
            assertThatThrownBy(() -> third.apply(desired(), Set.of())).isInstanceOf(ApplyFailure.class)
                    .hasMessage("mode userspace has nothing to lead packets to it: cannot run nft; cannot run iptables-restore");
        }
    }
}
