package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Protocol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;

/**
 * The chains that choose an endpoint. There is one for each number of endpoints and not for each service, so there are few; they are made
 * when first used and stay. A name says all that is in a chain. Used by one thread.
 */
final class BalanceChains {
    /** How many chains are made at once. */
    private static final int BLOCK = 16;
    private static final Pattern NAME = Pattern.compile("(ext-)?(tcp|udp|sctp)(-np)?(-local)?-(lb|slot)-[0-9].*|learn-[0-9]+");

    private final IpFamily family;
    private final StaticRules rules;
    private final KnownRules intact;
    /** What the kernel had at the beginning; a name says which rules, unless somebody changed them. */
    private Map<String, List<NftRule>> found = Map.of();
    /** Those in the kernel. */
    private final Set<String> committed = new HashSet<>();
    private final Map<String, List<String>> added = new LinkedHashMap<>();
    /** Chains that were asked for before: thousands of services need the same few. */
    private final Map<Wish, String> known = new HashMap<>();

    /** What a chain shall do. */
    private record Wish(Space space, int count, int affinity, boolean masqueraded) {}

    /** Where the endpoints of a frontend are looked up. */
    record Space(boolean nodePort, boolean local, Protocol protocol) {
        NftSet endpoints() {
            return NftSet.endpoints(nodePort, local, protocol);
        }

        private String prefix() {
            return protocol.label() + (nodePort ? "-np" : "") + (local ? "-local" : "") + "-";
        }

        private String key() {
            return nodePort ? "meta l4proto . th dport" : "IP daddr . meta l4proto . th dport";
        }

        private String send(String number) {
            return "dnat IP addr . port to " + key() + " . " + number + " map @" + endpoints().text();
        }
    }

    BalanceChains(IpFamily family, StaticRules rules, KnownRules intact) {
        this.family = family;
        this.rules = rules;
        this.intact = intact;
    }

    /** The chain that sends to one of some endpoints, and with a time to the client's own. */
    String balance(Space space, int count, int affinity) {
        Wish wish = new Wish(space, count, affinity, false);
        String name = known.get(wish);
        if (name == null) {
            name = makeBalance(space, count, affinity);
            known.put(wish, name);
        }
        return name;
    }

    private String makeBalance(Space space, int count, int affinity) {
        String plain = space.prefix() + "lb-" + count;
        if (affinity == 0) {
            near(count, other -> chain(space.prefix() + "lb-" + other, List.of(space.send("numgen random mod " + other))));
            return plain;
        }
        if (family == IpFamily.IPV4) {
            balance(space, count, 0);
            return chain(plain + "-sticky", List.of(
                    "dnat IP addr . port to IP daddr . meta l4proto . th dport . IP saddr map @affinity", "goto " + plain));
        }
        List<String> sticky = new ArrayList<>();
        List<String> choices = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String slot = slot(space, i, affinity);
            sticky.add(client(i) + " @affinity goto " + slot);
            choices.add(i + " : goto " + slot);
        }
        sticky.add("numgen random mod " + count + " vmap { " + String.join(", ", choices) + " }");
        return chain(plain + "-sticky-" + affinity, sticky);
    }

    /** A constant cannot be part of a key, but a counter that does not count can. */
    private static String client(int slot) {
        return "IP daddr . meta l4proto . th dport . IP saddr . numgen inc mod 1 offset " + slot;
    }

    private String slot(Space space, int slot, int affinity) {
        return chain(space.prefix() + "slot-" + slot + "-" + affinity, List.of(
                "update @affinity { " + client(slot) + " timeout " + affinity + "s }",
                space.send("numgen inc mod 1 offset " + slot)));
    }

    /** The chain for traffic from outside that may go anywhere: its answers must come back this way. */
    String masqueraded(Space space, int count, int affinity) {
        Wish wish = new Wish(space, count, affinity, true);
        String name = known.get(wish);
        if (name == null) {
            name = makeMasqueraded(space, count, affinity);
            known.put(wish, name);
        }
        return name;
    }

    private String makeMasqueraded(Space space, int count, int affinity) {
        String to = balance(space, count, affinity);
        if (affinity == 0) {
            near(count, other -> chain("ext-" + space.prefix() + "lb-" + other, rules.masqueraded(space.prefix() + "lb-" + other)));
            return "ext-" + to;
        }
        return chain("ext-" + to, rules.masqueraded(to));
    }

    /** Makes chains for numbers nearby, too: nft reads back whole maps to add a rule that uses one, which an endpoint that comes or goes shall not wait for. */
    private static void near(int count, IntConsumer make) {
        int first = (count - 1) / BLOCK * BLOCK + 1;
        for (int other = first; other < first + BLOCK; other++) {
            make.accept(other);
        }
    }

    /** The chain for traffic from outside that stays on the node. */
    String local(Space cluster, int clusterCount, int localCount, int affinity) {
        String toCluster = balance(cluster, clusterCount, affinity);
        Space here = new Space(cluster.nodePort(), true, cluster.protocol());
        String toLocal = localCount == 0 ? "" : balance(here, localCount, affinity);
        return chain("ext-" + toCluster + "-or-" + localCount, rules.shortCircuit(toCluster, toLocal));
    }

    /** The chain that remembers which endpoint a client was sent to (IPv4). */
    String learn(int affinity) {
        List<String> remember = new ArrayList<>();
        for (String protocol : List.of("tcp", "udp", "sctp")) {
            remember.add("meta l4proto " + protocol + " update @affinity { ct original IP daddr . meta l4proto . ct original proto-dst . ct original IP saddr"
                    + " timeout " + affinity + "s : IP daddr . th dport }");
        }
        return chain("learn-" + affinity, remember);
    }

    private String chain(String name, List<String> content) {
        if (!committed.contains(name) && !added.containsKey(name)) {
            List<String> own = content.stream().map(rule -> Table.in(family, rule)).toList();
            if (intact.hold(name, own, found.get(name))) {
                committed.add(name);
            } else {
                added.put(name, own);
            }
        }
        return name;
    }

    /** Makes the chains that were asked for and are not there. One that is there unknown to us is made anew. */
    String script() {
        intact.forget(added.keySet());
        StringBuilder script = new StringBuilder();
        added.keySet().forEach(name -> script.append("add chain ").append(Table.of(family)).append(' ').append(name).append('\n')
                .append("flush chain ").append(Table.of(family)).append(' ').append(name).append('\n'));
        added.forEach((name, content) -> content.forEach(rule -> script.append("add rule ").append(Table.of(family)).append(' ').append(name)
                .append(' ').append(RuleComment.with(rule)).append('\n')));
        return script.toString();
    }

    /** The script was applied. */
    void committed() {
        committed.addAll(added.keySet());
        added.clear();
    }

    /** These are in the kernel already. */
    void adopt(Map<String, List<NftRule>> rules) {
        found = rules;
    }

    /** The chains that were asked for and are not committed, with their rules. */
    Map<String, List<String>> chains() {
        return added;
    }

    /** Whether a name is one that a chain of ours may have, now or before. */
    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }
}
