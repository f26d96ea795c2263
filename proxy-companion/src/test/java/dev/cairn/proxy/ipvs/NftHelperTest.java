package dev.cairn.proxy.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.netlink.NetlinkSocket;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.ApplyFailure;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules beside IPVS as nftables, which the virtual machine has not: as far as they can be tried on a kernel without IPVS. */
@EnabledIf(value = "dev.cairn.proxy.ipvs.NftHelperTest#isRoot", disabledReason = "network namespaces and nftables need root")
class NftHelperTest {
    private static final String NODE = "cairn-h-" + Long.toString(ProcessHandle.current().pid(), 36);

    private final ElementWriter.Sockets sockets = new ElementWriter.Sockets() {
        @Override
        NetlinkSocket open() {
            return Namespace.in(NODE, () -> new NetlinkSocket(NetlinkSocket.NETFILTER));
        }
    };
    private final NftHelper helper = new NftHelper(new Tool() {
        @Override
        Answer run(List<String> command, String input) throws ApplyFailure {
            List<String> inside = new ArrayList<>(List.of("ip", "netns", "exec", NODE));
            inside.addAll(command);
            return super.run(inside, input);
        }
    }, new NftSets(sockets));

    static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    @BeforeEach
    void make() {
        VmNetwork.run("", "ip", "netns", "add", NODE);
        VmNetwork.run("link set lo up\naddr add 10.96.0.1/32 dev lo\naddr add fd00:96::1/128 dev lo nodad\n", "ip", "-n", NODE, "-batch", "-");
    }

    @AfterEach
    void remove() {
        sockets.close();
        VmNetwork.run("", "ip", "netns", "del", NODE);
    }

    static Stream<TrafficOptions> options() {
        LocalDetector ranges = new LocalDetector.Ranges(List.of(AddressRange.parse("10.0.0.0/8"), AddressRange.parse("fd00:10::/32")));
        return Stream.of(LocalDetector.none(), ranges, new LocalDetector.Interface("cni0", false), new LocalDetector.Interface("veth", true))
                .flatMap(detector -> Stream.of(true, false).map(all -> new TrafficOptions(all, detector, NodePortAddresses.ALL, List.of(), false, false)));
    }

    private static HelperRules rules(TrafficOptions options) {
        return HelperRules.of(Set.of(IpFamily.values()), options, 14);
    }

    private static ServerKey key(String address, int port) {
        return new ServerKey(Protocol.TCP, new Endpoint(TestCluster.addresses(address).getFirst(), port));
    }

    private static List<Element> elements() {
        List<Element> elements = new ArrayList<>();
        for (String vip : List.of("10.96.0.1", "fd00:96::1")) {
            elements.add(new Element(HelperSet.ADDRESSES, key(vip, 80).isIpv4() ? IpFamily.IPV4 : IpFamily.IPV6, List.of(vip)));
            elements.add(Element.place(HelperSet.CLUSTER, key(vip, 80)));
            elements.add(Element.place(HelperSet.MASQUERADE, key(vip, 82)));
            elements.add(Element.place(HelperSet.LOCAL, key(vip, 83)));
            elements.add(Element.place(HelperSet.NO_LOCAL, key(vip, 83)));
            elements.add(Element.place(HelperSet.DROP, key(vip, 84)));
            elements.add(Element.place(HelperSet.FIREWALL, key(vip, 82)));
            elements.add(Element.place(HelperSet.FIREWALL, key(vip, 80)));
            elements.add(Element.allow(key(vip, 82), vip.contains(":") ? "fd00:96::/64" : "10.96.0.0/16"));
            elements.add(Element.allow(key(vip, 82), vip.contains(":") ? "fd00:97::1" : "10.97.0.1"));
            elements.add(Element.hairpin(key(vip, 8080)));
            elements.add(new Element(HelperSet.HEALTH, key(vip, 80).isIpv4() ? IpFamily.IPV4 : IpFamily.IPV6, List.of("30000")));
        }
        return elements;
    }

    @ParameterizedTest
    @MethodSource("options")
    void the_kernel_takes_the_rules_however_they_are_set(TrafficOptions options) throws ApplyFailure {
        helper.load(rules(options));
        assertThat(helper.missing(rules(options))).isEmpty();
    }

    @Test
    void what_is_put_in_can_be_read_back_and_taken_out() throws ApplyFailure {
        HelperRules rules = rules(options().toList().getFirst());
        assertThat(helper.missing(rules)).containsExactly("table ip cairn-ipvs is missing", "table ip6 cairn-ipvs is missing");
        assertThat(helper.elements()).isEmpty();
        helper.load(rules);
        helper.add(elements());
        assertThat(helper.elements()).containsExactlyInAnyOrderElementsOf(elements());
        helper.load(rules);
        assertThat(helper.elements()).as("after the rules were mended").containsExactlyInAnyOrderElementsOf(elements());
        helper.remove(elements());
        assertThat(helper.elements()).isEmpty();
        VmNetwork.run("", "ip", "netns", "exec", NODE, "nft", "flush", "chain", "ip", "cairn-ipvs", "masquerading");
        assertThat(helper.missing(rules)).containsExactly("table ip cairn-ipvs: chain masquerading has 0 rules instead of 4");
        helper.load(rules);
        VmNetwork.run("flush chain ip cairn-ipvs masquerading\n" + "add rule ip cairn-ipvs masquerading accept\n".repeat(4),
                "ip", "netns", "exec", NODE, "nft", "-f", "-");
        assertThat(helper.missing(rules)).hasSize(4).last()
                .isEqualTo("table ip cairn-ipvs: chain masquerading has another rule in the place of masquerade fully-random");
        assertThat(helper.cleanUp()).containsExactly("table ip cairn-ipvs", "table ip6 cairn-ipvs");
        assertThat(helper.cleanUp()).isEmpty();
    }

    @Test
    void filters_hold_before_ipvs_is_asked() throws ApplyFailure {
        helper.load(rules(options().toList().getFirst()));
        helper.add(elements());
        for (String vip : List.of("10.96.0.1", "fd00:96::1")) {
            // Nobody listens, so what is let through is refused by the address itself; what is dropped is not answered.
            assertThat(VmNetwork.silent(NODE, vip, vip, 80)).as("from outside of its ranges").isEqualTo("drop");
            assertThat(VmNetwork.tcp(NODE, vip, vip, 82)).as("from its ranges").isEqualTo("reject");
            assertThat(VmNetwork.silent(NODE, vip, vip, 84)).as("no endpoint here").isEqualTo("drop");
            assertThat(VmNetwork.tcp(NODE, vip, vip, 83)).as("the node goes round the policy").isEqualTo("reject");
            Namespace.in(NODE, () -> new ServerSocket(85, 1, InetAddress.getByName(vip)));
            assertThat(VmNetwork.tcp(NODE, vip, vip, 85)).as("a port of the host at a service's address").isEqualTo("reject");
        }
    }
}
