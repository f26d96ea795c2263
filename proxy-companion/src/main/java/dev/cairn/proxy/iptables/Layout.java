package dev.cairn.proxy.iptables;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.sync.Backend;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What holds for all services of a family. Two that are equal give equal rules.
 *
 * @param pods how packets of local pods are told: {@code -s} or {@code -i} with what follows; empty if they cannot be
 * @param nodePorts the destinations at which node ports are found
 * @param localhost whether node ports are found at loopback addresses
 * @param mark the bit that stands for packets to be masqueraded
 * @param invalid the rule by which packets are dropped that belong to no connection; empty if they are let through
 * @param localhostCounter whether packets to node ports at loopback addresses are counted
 */
record Layout(
        IpFamily family,
        boolean masqueradeAll,
        String pods,
        List<NodePortMatch> nodePorts,
        boolean localhost,
        String mark,
        String invalid,
        boolean localhostCounter) {
    static final String INVALID_COUNTER = "ct_state_invalid_dropped_pkts";
    static final String LOCALHOST_COUNTER = "localhost_nps_accepted_pkts";
    private static final String TO_LOCAL = "-m addrtype --dst-type LOCAL";
    private static final String NEW = "-m conntrack --ctstate NEW";

    /**
     * A destination of node ports.
     *
     * @param address as after {@code -d}; empty for any
     * @param match what else is to be so
     */
    record NodePortMatch(String address, String match) {
        Rule rule(String comment) {
            Rule rule = Rule.rule().comment(comment).match(match);
            return address.isEmpty() ? rule : rule.to(address);
        }
    }

    /** A rule in a chain that is not ours, by which packets come to ours. */
    record Jump(Chain from, String rule) {}

    static Layout of(IpFamily family, Backend.Desired desired, int masqueradeBit, KernelFacts kernel) {
        List<Address> chosen = desired.options().nodePortAddresses().of(family, desired.node());
        boolean localhost = family == IpFamily.IPV4 && desired.options().hasLocalhostNodePorts();
        String loopback = family == IpFamily.IPV4 ? "127.0.0.0/8" : "::1/128";
        List<NodePortMatch> nodePorts = new ArrayList<>();
        if (chosen == null) {
            nodePorts.add(new NodePortMatch(localhost ? "" : "! " + loopback, TO_LOCAL));
        } else {
            chosen.forEach(address -> nodePorts.add(new NodePortMatch(whole(address), "")));
            if (localhost) {
                nodePorts.add(new NodePortMatch(loopback, ""));
            }
        }
        Rule unknown = Rule.rule().match("-m conntrack --ctstate INVALID");
        String invalid = kernel.isLiberal() ? "" : (kernel.countsPackets() ? unknown.count(INVALID_COUNTER) : unknown).jump("DROP");
        return new Layout(family, desired.options().masqueradeAll(), pods(desired.options().detector(), family), List.copyOf(nodePorts),
                localhost, "0x" + Integer.toHexString(1 << masqueradeBit), invalid, localhost && kernel.countsPackets());
    }

    private static String pods(LocalDetector detector, IpFamily family) {
        return switch (detector) {
            case LocalDetector.Ranges ranges -> {
                AddressRange range = ranges.of(family);
                yield range == null ? "" : "-s " + range;
            }
            case LocalDetector.Interface(String name, boolean prefix) -> "-i " + name + (prefix ? "+" : "");
        };
    }

    /** An address as a range of one. */
    static String whole(Address address) {
        return address + (address.isIpv4() ? "/32" : "/128");
    }

    /** Narrows a rule to packets of local pods, or to all others; there is a way to tell. */
    Rule fromPods(boolean yes, Rule rule) {
        String value = (yes ? "" : "! ") + pods.substring(3);
        return pods.startsWith("-s") ? rule.from(value) : rule.through(value);
    }

    String reject() {
        return "REJECT --reject-with " + (family == IpFamily.IPV4 ? "icmp" : "icmp6") + "-port-unreachable";
    }

    /** Chains that are ours alone and have the same rules whatever services there are. */
    Map<Chain, List<String>> chains() {
        Map<Chain, List<String>> chains = new LinkedHashMap<>();
        for (Table table : Table.values()) {
            chains.put(new Chain(table, Chain.CANARY), List.of());
        }
        List<String> forward = new ArrayList<>();
        if (!invalid.isEmpty()) {
            forward.add(invalid);
        }
        forward.add(Rule.rule().comment("kubernetes forwarding rules").match("-m mark --mark " + mark + "/" + mark).jump("ACCEPT"));
        forward.add(Rule.rule().comment("kubernetes forwarding conntrack rule")
                .match("-m conntrack --ctstate RELATED,ESTABLISHED").jump("ACCEPT"));
        chains.put(Chain.FORWARD, forward);
        chains.put(new Chain(Table.NAT, Chain.MARK_MASQ), List.of("-j MARK --set-xmark " + mark + "/" + mark));
        // The mark is taken away again, so that a packet that passes once more is not masqueraded twice.
        chains.put(Chain.POSTROUTING, List.of(
                "-m mark ! --mark " + mark + "/" + mark + " -j RETURN",
                "-j MARK --set-xmark " + mark + "/0x0",
                Rule.rule().comment("kubernetes service traffic requiring SNAT").jump("MASQUERADE --random-fully")));
        return chains;
    }

    /** What comes after the rules of services in a shared chain. */
    List<String> tail(Chain shared) {
        return !shared.equals(Chain.NAT_SERVICES) ? List.of() : nodePorts.stream()
                .map(match -> match.rule("kubernetes service nodeports; NOTE: this must be the last rule in this chain")
                        .jump(Chain.NAT_NODEPORTS.name()))
                .toList();
    }

    /** The ways into our chains; each is put first, so that the last is the first in the end. */
    List<Jump> jumps() {
        List<Jump> jumps = new ArrayList<>();
        String portals = "kubernetes service portals";
        filter(jumps, Chain.EXTERNAL, NEW, "kubernetes externally-visible service portals", "INPUT", "FORWARD");
        filter(jumps, Chain.NODEPORTS, "", "kubernetes health check service ports", "INPUT");
        filter(jumps, Chain.SERVICES, NEW, portals, "FORWARD", "OUTPUT");
        filter(jumps, Chain.FORWARD, "", "kubernetes forwarding rules", "FORWARD");
        filter(jumps, Chain.FIREWALL, NEW, "kubernetes load balancer firewall", "INPUT", "OUTPUT", "FORWARD");
        if (localhost) {
            jumps.add(new Jump(new Chain(Table.FILTER, "INPUT"), "-j " + Chain.KUBELET_FIREWALL.name()));
            jumps.add(new Jump(new Chain(Table.FILTER, "OUTPUT"), "-j " + Chain.KUBELET_FIREWALL.name()));
            // Since loopback addresses are routed then, what comes from outside for one has to be kept out.
            jumps.add(new Jump(Chain.KUBELET_FIREWALL, Rule.rule().from("! 127.0.0.0/8").to("127.0.0.0/8")
                    .comment("block incoming localnet connections")
                    .match("-m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT").jump("DROP")));
        }
        jumps.add(new Jump(new Chain(Table.NAT, "OUTPUT"), Rule.rule().comment(portals).jump(Chain.NAT_SERVICES.name())));
        jumps.add(new Jump(new Chain(Table.NAT, "PREROUTING"), Rule.rule().comment(portals).jump(Chain.NAT_SERVICES.name())));
        jumps.add(new Jump(new Chain(Table.NAT, "POSTROUTING"),
                Rule.rule().comment("kubernetes postrouting rules").jump(Chain.POSTROUTING.name())));
        return jumps;
    }

    private static void filter(List<Jump> jumps, Chain to, String match, String comment, String... hooks) {
        for (String hook : hooks) {
            jumps.add(new Jump(new Chain(Table.FILTER, hook), Rule.rule().match(match).comment(comment).jump(to.name())));
        }
    }
}
