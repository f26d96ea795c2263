package dev.cairn.proxy.conformance;

import static dev.cairn.proxy.conformance.Facts.list;
import static dev.cairn.proxy.conformance.Facts.map;
import static dev.cairn.proxy.conformance.Facts.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.conformance.Facts.Case;
import dev.cairn.proxy.iptables.IptablesChecks;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.Outcome;
import dev.cairn.proxy.plan.Packet;
import dev.cairn.proxy.plan.PacketWalk;
import dev.cairn.proxy.plan.TrafficOptions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the planner to the cases: what becomes of a packet, or what is planned. */
public class ProxyConformanceTest {
    private static final List<Case> CASES = Facts.cases();

    static Stream<Case> flows() {
        return CASES.stream().filter(one -> one.expect().containsKey("flows"));
    }

    static Stream<Case> states() {
        return CASES.stream().filter(one -> !one.expect().containsKey("flows") && !ofIpvs(one));
    }

    /** What is about virtual servers alone; {@code IpvsConformanceTest} tries it. */
    private static boolean ofIpvs(Case one) {
        return one.modes().equals(List.of("ipvs"));
    }

    @Test
    void every_case_is_tried() {
        assertThat(flows().count() + states().count() + CASES.stream().filter(ProxyConformanceTest::ofIpvs).count()).isEqualTo(128);
    }

    public static NodeView node() {
        List<Address> addresses = Stream.of("192.168.0.2", "192.168.1.2", "2001:db8::1", "2001:db8:1::2").map(Address::parse).toList();
        return new NodeView(Facts.NODE, "", addresses, addresses, List.of());
    }

    public static ClusterModel model(Case one) {
        ClusterModel model = new ClusterModel(node(), _ -> {});
        one.services().forEach(model::put);
        one.slices().forEach(model::put);
        model.replan();
        return model;
    }

    public static TrafficOptions options(Case one, String mode) {
        Map<String, Object> config = one.config();
        boolean nft = mode.equals("nftables");
        LocalDetector detector = config.containsKey("localDetector") && config.get("localDetector") == null ? LocalDetector.none()
                : new LocalDetector.Ranges(List.of(AddressRange.parse("10.0.0.0/8"), AddressRange.parse("fd00:10::/32")));
        NodePortAddresses nodePorts = config.containsKey("nodePortAddresses") ? NodePortAddresses.parse(texts(config.get("nodePortAddresses")))
                : nft ? NodePortAddresses.PRIMARY : NodePortAddresses.ALL;
        return new TrafficOptions(Facts.flag(config, "masqueradeAll", false), detector, nodePorts,
                texts(config.get("serviceCIDRs")).stream().map(AddressRange::parse).toList(), nft,
                !nft && Facts.flag(config, "localhostNodePorts", true));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("flows")
    void packets_go_where_they_should(Case one) {
        ClusterModel model = model(one);
        for (String mode : one.modes()) {
            if (mode.equals("ipvs")) {
                continue;   // its flows are those of the others
            }
            PacketWalk walk = new PacketWalk(model.plans().values(), model.node(), options(one, mode));
            for (Object flow : list(one.expect().get("flows"))) {
                Map<String, Object> expected = map(flow);
                String name = (String) expected.get("name");
                if (!name.contains("only)") || name.contains(mode)) {
                    check(walk, expected, mode + ": " + name);
                }
            }
        }
    }

    private static void check(PacketWalk walk, Map<String, Object> expected, String name) {
        Outcome outcome = walk.walk(packet(expected));
        assertThat(outcome.verdict().name().toLowerCase(Locale.ROOT)).as("%s, since %s", name, outcome.why()).isEqualTo(expected.get("verdict"));
        assertThat(outcome.endpoints().stream().map(Object::toString)).as(name).containsExactlyInAnyOrderElementsOf(texts(expected.get("endpoints")));
        if (expected.get("masquerade") != null) {
            assertThat(outcome.masquerade()).as("%s is masqueraded, since %s", name, outcome.why()).isEqualTo(expected.get("masquerade"));
        }
    }

    private static Packet packet(Map<String, Object> flow) {
        String to = (String) flow.get("to");
        int colon = to.lastIndexOf(':');
        Address target = Address.parse(to.substring(0, colon).replaceAll("[\\[\\]]", ""));
        return new Packet(Objects.requireNonNull(Address.parse((String) flow.get("from"))), Objects.requireNonNull(target),
                Integer.parseInt(to.substring(colon + 1)), Protocol.valueOf((String) flow.get("protocol")), "");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("states")
    void what_is_planned_is_what_should_be(Case one) {
        String id = one.id();
        IpFamily family = "IPv6".equals(one.config().get("family")) ? IpFamily.IPV6 : IpFamily.IPV4;
        if (id.startsWith("categorize-")) {
            StateChecks.categorize(one);
        } else if (id.startsWith("servicemap-")) {
            StateChecks.servicePorts(one, family);
        } else if (id.startsWith("endpoints") || id.startsWith("endpointslice-")) {
            StateChecks.endpoints(one);
        } else if (id.startsWith("conntrack-")) {
            StateChecks.conntrack(one);
        } else if (id.startsWith("healthcheck-http")) {
            StateChecks.serviceHealth(one);
        } else if (id.startsWith("healthz-")) {
            StateChecks.nodeHealth(one);
        } else if (id.startsWith("hash-nftables-")) {
            NftLayoutChecks.ownEntries(one);
        } else if (id.startsWith("nft-dnat-")) {
            NftLayoutChecks.endpoints(one);
        } else if (one.modes().equals(List.of("iptables"))) {
            IptablesChecks.check(one);
        } else if (!StateChecks.planned(one, family)) {
            fail("nobody knows how to check " + id);
        }
    }
}
