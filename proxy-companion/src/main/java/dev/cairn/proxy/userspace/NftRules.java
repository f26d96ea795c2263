package dev.cairn.proxy.userspace;

import dev.cairn.facts.Address;
import dev.cairn.proxy.nft.RuleComment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The table of a family as it is whatever services there are. {@code IP} stands for {@code ip} or {@code ip6}. Immutable. */
final class NftRules {
    static final String TABLE = "cairn-userspace";

    private static final String PLACE = "IP daddr . meta l4proto . th dport";
    private static final String PORT = "meta l4proto . th dport";
    /** Sets by their names; those with {@code :} are maps. */
    private static final Map<String, String> SETS = new LinkedHashMap<>();

    static {
        SETS.put("service-ips", PLACE + " : verdict");
        SETS.put("service-nodeports", PORT + " : verdict");
        SETS.put("ports", PLACE + " : th dport");
        SETS.put("local-ports", PLACE + " : th dport");
        SETS.put("nodeport-ports", PORT + " : th dport");
        SETS.put("nodeport-local-ports", PORT + " : th dport");
        SETS.put("no-endpoint-services", PLACE + " : verdict");
        SETS.put("no-endpoint-nodeports", PORT + " : verdict");
        SETS.put("firewall-ips", PLACE);
        SETS.put("firewall-allow", PLACE + " . IP saddr; flags interval");
        SETS.put("listeners", PORT);
    }

    private final Crossing crossing;

    NftRules(Crossing crossing) {
        this.crossing = crossing;
    }

    private String table() {
        return crossing.word() + " " + TABLE;
    }

    /** Puts the table, without elements, in the place of one that may be there. */
    String script() {
        StringBuilder script = new StringBuilder();
        script.append("add table ").append(table()).append("\ndelete table ").append(table()).append("\nadd table ").append(table()).append('\n');
        SETS.forEach((name, type) -> script.append("add ").append(type.contains(" : ") ? "map " : "set ").append(table()).append(' ').append(name)
                .append(" { typeof ").append(in(type)).append("; }\n"));
        Map<String, List<String>> rules = rules();
        rules.keySet().forEach(chain -> script.append("add chain ").append(table()).append(' ').append(chain).append(hook(chain)).append('\n'));
        rules.forEach((chain, own) -> own.forEach(
                rule -> script.append("add rule ").append(table()).append(' ').append(chain).append(' ')
                        .append(RuleComment.with(in(rule))).append('\n')));
        return script.toString();
    }

    /** Whether the rules of a chain in a listing are some of ours, as far as their comments tell. */
    boolean areOurs(List<String> own, List<String> listed) {
        return own.size() == listed.size()
                && IntStream.range(0, own.size()).allMatch(i -> RuleComment.marks(in(own.get(i)), listed.get(i)));
    }

    private String in(String rule) {
        return rule.replace("IP ", crossing.word() + " ");
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
            default -> "";
        };
        return hook.isEmpty() ? "" : " { type " + hook + "; policy accept; }";
    }

    /** The rules by chain. */
    Map<String, List<String>> rules() {
        String refused = "ct status and dnat == 0 " + PLACE + " vmap @no-endpoint-services";
        Map<String, List<String>> rules = new LinkedHashMap<>();
        rules.put("reject-chain", List.of("reject"));
        rules.put("cluster", send(PLACE, "ports"));
        rules.put("local", around("cluster", send(PLACE, "local-ports")));
        rules.put("nodeport-cluster", send(PORT, "nodeport-ports"));
        rules.put("nodeport-local", around("nodeport-cluster", send(PORT, "nodeport-local-ports")));
        rules.put("firewall-check", List.of(PLACE + " @firewall-ips " + PLACE + " . IP saddr != @firewall-allow drop"));
        rules.put("endpoints-check", refusals(refused));
        rules.put("services", services());
        rules.put("filter-prerouting-pre-dnat", List.of("ct state new jump firewall-check"));
        rules.put("filter-output-pre-dnat", List.of(own(), "ct state new jump firewall-check"));
        // Only what was led there may use a listener: it knows nothing of source ranges.
        rules.put("filter-input", List.of("IP daddr " + crossing.at() + " ct state new ct status and dnat == 0 " + PORT + " @listeners reject",
                "ct state new jump endpoints-check"));
        rules.put("filter-forward", List.of("ct state new " + refused));
        rules.put("filter-output", List.of(own(), "ct state new " + refused));
        rules.put("nat-prerouting", List.of("jump services"));
        rules.put("nat-output", List.of(own(), "jump services"));
        return rules;
    }

    /** An endpoint may be at an address and port that a service has; what the relay sends must not come back to it. */
    private String own() {
        return "meta mark and " + mark() + " == " + mark() + " return";
    }

    private String mark() {
        return "0x" + Integer.toHexString(crossing.mark());
    }

    private List<String> send(String key, String map) {
        return List.of("meta l4proto tcp dnat IP to " + crossing.at() + " : " + key + " map @" + map,
                "meta l4proto udp dnat IP to " + crossing.at() + " : " + key + " map @" + map);
    }

    /** Pods and the node itself go round a policy for what comes from outside. */
    private List<String> around(String cluster, List<String> outside) {
        List<String> rules = new ArrayList<>();
        if (crossing.podRange() != null) {
            rules.add("IP saddr " + crossing.podRange() + " goto " + cluster);
        } else if (!crossing.podDevice().isEmpty()) {
            rules.add("iifname \"" + crossing.podDevice() + "\" goto " + cluster);
        }
        rules.add("fib saddr type local goto " + cluster);
        rules.addAll(outside);
        return rules;
    }

    private List<String> services() {
        List<String> rules = new ArrayList<>(List.of(PLACE + " vmap @service-ips"));
        atNode().forEach(node -> rules.add(node + PORT + " vmap @service-nodeports"));
        return rules;
    }

    private List<String> refusals(String service) {
        List<String> rules = new ArrayList<>(List.of(service));
        atNode().forEach(node -> rules.add("ct status and dnat == 0 " + node + PORT + " vmap @no-endpoint-nodeports"));
        return rules;
    }

    /** Matches of addresses at which node ports are found. */
    private List<String> atNode() {
        List<Address> some = crossing.nodePorts();
        if (some == null) {
            return List.of("fib daddr type local " + (crossing.localhost() ? "" : "IP daddr != " + crossing.loopback() + " "));
        }
        List<String> matches = new ArrayList<>();
        if (!some.isEmpty()) {
            matches.add("IP daddr { " + some.stream().map(Address::toString).collect(Collectors.joining(", ")) + " } ");
        }
        if (crossing.localhost()) {
            matches.add("IP daddr " + crossing.loopback() + " ");
        }
        return matches;
    }
}
