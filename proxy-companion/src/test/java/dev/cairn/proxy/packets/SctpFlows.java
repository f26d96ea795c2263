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
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Backend;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;

/** Packets of SCTP through what a backend has in the kernel. */
@EnabledIf(value = "dev.cairn.proxy.packets.Testbed#isPossible", disabledReason = Testbed.NEEDS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class SctpFlows {
    private static final String NODE = "192.168.0.2";
    private static final String NODE6 = "2001:db8::1";
    private static final String CLIENT = "203.0.113.2";
    private static final String CLIENT6 = "2001:db8:5::2";
    /** A pod on the side of the clients, so that answers to it come by the node. */
    private static final String POD = "10.200.0.9";
    private static final List<String> FOUR = List.of("10.180.0.1", "10.180.0.2", "10.180.0.3");
    private static final List<String> SIX = List.of("fd00:10::1", "fd00:10::2");
    private static final String VIP = "172.30.0.41";
    private static final String VIP6 = "fd00:172::41";
    private static final int PORT = 36412;
    private static final int TARGET = 36422;
    private static final int NODE_PORT = 30412;
    /** So many that one of three is missed once in 2^28. */
    private static final int MANY = 48;

    private final ClusterModel model = new ClusterModel(new NodeView("node", "", addresses(List.of(NODE, NODE6)), List.of(), List.of()), _ -> {});
    private Testbed testbed;
    private Backend backend;

    /** A backend that programs the machine {@code Testbed.NODE}. */
    protected abstract Backend backend(Testbed on);

    @BeforeAll
    void build() {
        testbed = new Testbed();
        backend = backend(testbed);
        List.of(NODE, NODE6).forEach(testbed::nodeAddress);
        List.of(CLIENT, CLIENT6, POD).forEach(address -> testbed.address(Testbed.CLIENTS, address));
        Stream.concat(FOUR.stream(), SIX.stream()).forEach(address -> {
            testbed.address(Testbed.ENDPOINTS, address);
            testbed.listen(address, TARGET, "sctp");
        });
    }

    @AfterEach
    void clear() throws ApplyFailure {
        backend.cleanUp();
    }

    @AfterAll
    void tearDown() {
        backend.close();
        testbed.close();
    }

    private static List<Address> addresses(List<String> texts) {
        return texts.stream().map(text -> Objects.requireNonNull(Address.parse(text))).toList();
    }

    private void apply(String name, String vip, int nodePort, List<String> endpoints) throws ApplyFailure {
        TrafficFact traffic = new TrafficFact(TrafficFact.Type.NODE_PORT, false, false, 0, List.of(), 0, List.of());
        model.put(new ServiceFact("ns", name, ServiceFact.Kind.CLUSTER_IP, addresses(List.of(vip)),
                List.of(new PortFact("s1ap", Protocol.SCTP, PORT, nodePort)), "", List.of(), List.of(), List.of(), traffic));
        List<EndpointFact> facts = addresses(endpoints).stream()
                .map(address -> new EndpointFact(address, true, "", "", "node", "", true, false, EndpointHints.NONE)).toList();
        model.put(new SliceFact("ns", name + "-1", name, "", List.of(new PortFact("s1ap", Protocol.SCTP, TARGET)), facts, 0));
        LocalDetector pods = new LocalDetector.Ranges(List.of(AddressRange.parse("10.0.0.0/8"), AddressRange.parse("fd00:10::/32")));
        var changed = model.replan();
        backend.apply(new Backend.Desired(model.plans(), model.node(),
                new TrafficOptions(false, pods, NodePortAddresses.ALL, List.of(), false, false)), changed);
    }

    private String connect(String from, String to, int port, int count) {
        return testbed.connect(Testbed.CLIENTS, from, to, port, "sctp", count, 60);
    }

    private static String answer(List<String> endpoints, String seen) {
        return "dnat " + String.join(",", endpoints.stream()
                .map(address -> (address.contains(":") ? "[" + address + "]" : address) + ":" + TARGET + "=" + seen).toList());
    }

    @Test
    void connections_are_spread_over_endpoints_and_follow_their_changes() throws ApplyFailure {
        apply("four", VIP, NODE_PORT, FOUR);
        assertThat(connect(POD, VIP, PORT, MANY)).as("a pod is seen itself").isEqualTo(answer(FOUR, POD));
        assertThat(connect(CLIENT, VIP, PORT, MANY)).as("who is outside comes by the node").isEqualTo(answer(FOUR, "100.64.2.1"));
        assertThat(connect(CLIENT, NODE, NODE_PORT, MANY)).isEqualTo(answer(FOUR, "100.64.2.1"));
        apply("four", VIP, NODE_PORT, List.of("10.180.0.2"));
        assertThat(connect(POD, VIP, PORT, MANY)).isEqualTo(answer(List.of("10.180.0.2"), POD));
        apply("four", VIP, NODE_PORT, List.of());
        assertThat(connect(POD, VIP, PORT, 1)).isEqualTo("reject");
        apply("four", VIP, NODE_PORT, FOUR);
        assertThat(connect(POD, VIP, PORT, MANY)).isEqualTo(answer(FOUR, POD));
    }

    @Test
    void ipv6_is_served_alike() throws ApplyFailure {
        apply("six", VIP6, 0, SIX);
        assertThat(connect(CLIENT6, VIP6, PORT, MANY)).isEqualTo(answer(SIX, "fd64:2::1"));
        apply("six", VIP6, 0, List.of("fd00:10::2"));
        assertThat(connect(CLIENT6, VIP6, PORT, MANY)).isEqualTo(answer(List.of("fd00:10::2"), "fd64:2::1"));
        apply("six", VIP6, 0, List.of());
        assertThat(connect(CLIENT6, VIP6, PORT, 1)).isEqualTo("reject");
        assertThat(testbed.ask(Testbed.CLIENTS, "why")).contains("refused");
    }

    @Test
    void an_endpoint_reaches_itself_by_its_service() throws ApplyFailure {
        apply("four", VIP, NODE_PORT, List.of("10.180.0.1"));
        assertThat(testbed.connect(Testbed.ENDPOINTS, "10.180.0.1", VIP, PORT, "sctp", 1, 60)).isEqualTo(answer(List.of("10.180.0.1"), "100.64.2.1"));
    }
}
