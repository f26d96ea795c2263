package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.TrafficOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/** What the table of a family holds whatever services there are. Immutable. */
final class StaticRules {
    /** Counts up when maps change in a way that no rule can mend; a table of another number is replaced as a whole. */
    private static final int LAYOUT = 1;
    /** The one set that packets, not services, put elements into. */
    static final String AFFINITY = "affinity";
    private static final List<String> PROTOCOLS = List.of("tcp", "udp", "sctp");

    private final IpFamily family;
    private final TrafficOptions options;
    private final boolean allNodeAddresses;
    private final String mark;

    StaticRules(IpFamily family, TrafficOptions options, boolean allNodeAddresses, int masqueradeBit) {
        this.family = family;
        this.options = options;
        this.allNodeAddresses = allNodeAddresses;
        this.mark = "0x" + Integer.toHexString(1 << masqueradeBit);
    }

    /** A chain without rules by whose name a table tells that it has these rules. */
    String marker() {
        CRC32 sum = new CRC32();
        sum.update(rules().toString().getBytes(StandardCharsets.UTF_8));
        return layoutMarker() + "-" + Long.toHexString(sum.getValue());
    }

    static String layoutMarker() {
        return "cairn-layout-" + LAYOUT;
    }

    /** The rules of each chain. */
    Map<String, List<String>> chains() {
        Map<String, List<String>> chains = new LinkedHashMap<>();
        rules().forEach((chain, rules) -> chains.put(chain, rules.stream().map(rule -> Table.in(family, rule)).toList()));
        chains.put(marker(), List.of());
        return chains;
    }

    /** Makes the table, or mends the rules of one that is there; its elements stay. */
    String script() {
        StringBuilder script = new StringBuilder("add table ").append(Table.of(family)).append('\n');
        for (NftSet set : NftSet.values()) {
            script.append(set.declaration(family));
        }
        script.append("add ").append(affinity()).append("; flags dynamic,timeout; size 131072; }\n");
        rules().forEach((chain, rules) -> script.append("add chain ").append(Table.of(family)).append(' ').append(chain).append(hook(chain)).append('\n'));
        script.append("add chain ").append(Table.of(family)).append(' ').append(marker()).append('\n');
        rules().forEach((chain, rules) -> {
            script.append("flush chain ").append(Table.of(family)).append(' ').append(chain).append('\n');
            rules.forEach(rule -> script.append("add rule ").append(Table.of(family)).append(' ').append(chain).append(' ')
                    .append(RuleComment.with(Table.in(family, rule))).append('\n'));
        });
        return script.toString();
    }

    /** With IPv6, nft 1.0 cannot keep data by a key of this size: what is kept is the number of the endpoint, in the key. */
    private String affinity() {
        return family == IpFamily.IPV4
                ? "map " + Table.of(family) + " " + AFFINITY + " { type ipv4_addr . inet_proto . inet_service . ipv4_addr : ipv4_addr . inet_service"
                : "set " + Table.of(family) + " " + AFFINITY + " { typeof ip6 daddr . meta l4proto . th dport . ip6 saddr . numgen random mod 2";
    }

    private static String hook(String chain) {
        String hook = switch (chain) {
            case "filter-prerouting-pre-dnat" -> "filter hook prerouting priority dstnat - 10";
            case "filter-output-pre-dnat" -> "filter hook output priority -110";
            case "filter-input" -> "filter hook input priority filter";
            case "filter-forward" -> "filter hook forward priority filter";
            case "filter-output" -> "filter hook output priority filter";
            case "nat-prerouting" -> "nat hook prerouting priority dstnat";
            case "nat-output" -> "nat hook output priority -100";
            case "nat-postrouting" -> "nat hook postrouting priority srcnat";
            default -> "";
        };
        return hook.isEmpty() ? "" : " { type " + hook + "; policy accept; }";
    }

    private Map<String, List<String>> rules() {
        Map<String, List<String>> rules = new LinkedHashMap<>();
        rules.put("reject-chain", List.of("reject"));
        rules.put("firewall-check", List.of("IP daddr . meta l4proto . th dport @firewall-ips"
                + " IP daddr . meta l4proto . th dport . IP saddr != @firewall-allow drop"));
        rules.put("service-endpoints-check", List.of("IP daddr . meta l4proto . th dport vmap @no-endpoint-services"));
        rules.put("nodeport-endpoints-check", List.of(atNode() + "meta l4proto . th dport vmap @no-endpoint-nodeports"));
        rules.put("cluster-ips-check", List.of("IP daddr @cluster-ips goto reject-chain", "IP daddr @service-ranges drop"));
        rules.put("affinity-learn", learn());
        rules.put("services", services());
        rules.put("masquerading", List.of(
                "ct status dnat IP saddr . IP daddr . meta l4proto . th dport @hairpin masquerade fully-random",
                "meta mark and " + mark + " == 0 return",
                "meta mark set meta mark xor " + mark,
                "masquerade fully-random"));
        rules.put("filter-prerouting-pre-dnat", List.of("ct state new jump firewall-check"));
        rules.put("filter-output-pre-dnat", List.of("ct state new jump firewall-check"));
        rules.put("filter-input", List.of("ct state new jump nodeport-endpoints-check", "ct state new jump service-endpoints-check", remember()));
        rules.put("filter-forward", List.of("ct state new jump service-endpoints-check", "ct state new jump cluster-ips-check", remember()));
        rules.put("filter-output", List.of("ct state new jump service-endpoints-check", "ct state new jump cluster-ips-check", remember()));
        rules.put("nat-prerouting", List.of("jump services"));
        rules.put("nat-output", List.of("jump services"));
        rules.put("nat-postrouting", List.of("jump masquerading"));
        return rules;
    }

    private static String remember() {
        return "ct state new ct status dnat jump affinity-learn";
    }

    /** A packet that was sent on tells by its old and new destination what its client has to stay with. IPv6 is remembered where it is sent on. */
    private List<String> learn() {
        if (family == IpFamily.IPV6) {
            return List.of();
        }
        return PROTOCOLS.stream()
                .flatMap(protocol -> List.of(
                        "meta l4proto " + protocol + " ct original IP daddr . meta l4proto . ct original proto-dst vmap @affinity-services",
                        "meta l4proto " + protocol + " meta l4proto . ct original proto-dst vmap @affinity-nodeports").stream())
                .toList();
    }

    private List<String> services() {
        String dispatch = "IP daddr . meta l4proto . th dport vmap @service-ips";
        String nodePorts = atNode() + "meta l4proto . th dport vmap @service-nodeports";
        String masquerade = " meta mark set meta mark or " + mark;
        if (options.masqueradeAll()) {
            return List.of("IP daddr @cluster-ips" + masquerade, dispatch, nodePorts);
        }
        return options.detector().works(family)
                ? List.of("IP daddr @cluster-ips " + fromPod(false) + masquerade, dispatch, nodePorts) : List.of(dispatch, nodePorts);
    }

    private String atNode() {
        String loopback = family == IpFamily.IPV4 ? "127.0.0.0/8" : "::1";
        return allNodeAddresses ? "fib daddr type local IP daddr != " + loopback + " " : "IP daddr @nodeport-ips ";
    }

    /** Matches what comes from a local pod, or what does not; there is a detector. */
    private String fromPod(boolean pod) {
        String not = pod ? "" : "!= ";
        return switch (options.detector()) {
            case LocalDetector.Ranges ranges -> {
                AddressRange range = ranges.of(family);
                yield "IP saddr " + not + range;
            }
            case LocalDetector.Interface(String name, boolean prefix) -> "iifname " + not + "\"" + name + (prefix ? "*" : "") + "\"";
        };
    }

    /** The rules of a chain for traffic from outside that stays on the node: pods and the node itself go round that. */
    List<String> shortCircuit(String toCluster, String toLocal) {
        String node = "fib saddr type local meta mark set meta mark or " + mark + " goto " + toCluster;
        List<String> rules = new ArrayList<>();
        if (options.detector().works(family)) {
            rules.add(fromPod(true) + " goto " + toCluster);
        }
        rules.add(node);
        if (!toLocal.isEmpty()) {
            rules.add("goto " + toLocal);
        }
        return rules;
    }

    List<String> masqueraded(String to) {
        return List.of("meta mark set meta mark or " + mark, "goto " + to);
    }
}
