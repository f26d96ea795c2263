package dev.cairn.proxy.iptables;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What {@code iptables-save} printed, as far as it concerns a proxy. */
final class Listing {
    private static final Set<String> BUILT_IN = Set.of("INPUT", "OUTPUT", "FORWARD", "PREROUTING", "POSTROUTING");
    private static final Pattern PROBABILITY = Pattern.compile("--probability ([0-9.]+)");
    private static final Pattern TARGET = Pattern.compile(" -[jg] (KUBE-[^ ]+)");

    private final Map<Chain, List<String>> chains = new HashMap<>();
    private final Map<Chain, List<String>> others = new HashMap<>();
    private int rules;

    private Listing() {}

    static Listing parse(String text) {
        Listing listing = new Listing();
        Table table = null;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            if (line.startsWith("*")) {
                table = table(line.substring(1));
            } else if (table != null && line.startsWith(":")) {
                listing.declare(new Chain(table, line.substring(1, line.indexOf(' '))));
            } else if (line.startsWith("-A ")) {
                listing.rules++;
                int end = line.indexOf(' ', 3);
                if (table != null && end > 0) {
                    listing.add(new Chain(table, line.substring(3, end)), spelled(line.substring(end + 1)));
                }
            }
        }
        return listing;
    }

    private static @Nullable Table table(String name) {
        for (Table table : Table.values()) {
            if (table.toString().equals(name)) {
                return table;
            }
        }
        return null;
    }

    private void declare(Chain chain) {
        if (chain.isProxys() || chain.isIpvs()) {
            chains.put(chain, new ArrayList<>());
        } else {
            others.put(chain, new ArrayList<>());
        }
    }

    private void add(Chain chain, String rule) {
        List<String> ours = chains.get(chain);
        if (ours != null) {
            ours.add(rule);
        } else if (rule.contains("KUBE-") || chain.equals(Chain.KUBELET_FIREWALL)) {
            others.computeIfAbsent(chain, _ -> new ArrayList<>()).add(rule);
        }
    }

    /** A rule as we write it: probabilities are printed a bit off, as the kernel has them, and one option with a blank too many. */
    private static String spelled(String printed) {
        String rule = printed.replace("--nfacct-name  ", "--nfacct-name ");
        Matcher matcher = rule.contains("--probability") ? PROBABILITY.matcher(rule) : null;
        if (matcher == null || !matcher.find()) {
            return rule;
        }
        double probability = Double.parseDouble(matcher.group(1));
        String own = probability <= 0 ? matcher.group(1) : Rule.probability((int) Math.round(1 / probability));
        boolean same = Math.abs(Double.parseDouble(own) - probability) < 1e-9;
        return same ? rule.substring(0, matcher.start(1)) + own + rule.substring(matcher.end(1)) : rule;
    }

    /** How many rules there are, whoever's they are. */
    int rules() {
        return rules;
    }

    /** A proxy's chains, by table and name, with their rules. */
    Map<Chain, List<String>> chains() {
        return chains;
    }

    /** Chains of others; of their rules, those that may lead to ours. */
    Map<Chain, List<String>> others() {
        return others;
    }

    /** The rules of the tables' own chains that lead to some of a proxy's; who put them there is the proxy. */
    List<Layout.Jump> jumpsTo(Predicate<Chain> which) {
        List<Layout.Jump> jumps = new ArrayList<>();
        others.forEach((chain, rules) -> rules.forEach(rule -> {
            Chain target = new Chain(chain.table(), target(rule));
            if (BUILT_IN.contains(chain.name()) && chains.containsKey(target) && which.test(target)) {
                jumps.add(new Layout.Jump(chain, rule));
            }
        }));
        return jumps;
    }

    /** Which of a proxy's chains others lead to, beside the given rules. */
    Set<Chain> referredByOthers(Set<Layout.Jump> known) {
        Set<Chain> referred = new LinkedHashSet<>();
        others.forEach((chain, rules) -> rules.forEach(rule -> {
            String target = target(rule);
            if (!target.isEmpty() && !known.contains(new Layout.Jump(chain, rule))) {
                referred.add(new Chain(chain.table(), target));
            }
        }));
        return referred;
    }

    /** The chain of ours that a rule leads to; empty if none. */
    static String target(String rule) {
        Matcher matcher = TARGET.matcher(" " + rule);
        String target = "";
        while (matcher.find()) {
            target = matcher.group(1);
        }
        return target;
    }

    /** Whether a kubelet has left its sign here. */
    boolean isKubelets() {
        return others.keySet().stream().anyMatch(chain -> chain.table() == Table.MANGLE
                && Set.of("KUBE-IPTABLES-HINT", "KUBE-KUBELET-CANARY").contains(chain.name()));
    }
}
