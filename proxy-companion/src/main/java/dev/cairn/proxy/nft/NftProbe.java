package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.ApplyFailure;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds out whether kernel and {@code nft} take our kind of rules. */
final class NftProbe {
    private static final int AFFINITY = 60;

    private NftProbe() {}

    /** Why not, in one line; null if they do. */
    static @Nullable String probe(NftRunner runner, Set<IpFamily> families) {
        StringBuilder script = new StringBuilder();
        families.stream().sorted().forEach(family -> script.append(sample(family)));
        try {
            return runner.check(script.toString());
        } catch (ApplyFailure e) {
            return e.getMessage();
        }
    }

    /** A table with every kind of rule that there may be, in the place of one that may be there. */
    private static String sample(IpFamily family) {
        TrafficOptions options = new TrafficOptions(
                false, new LocalDetector.Interface("lo", false), NodePortAddresses.ALL, List.of(), true, false);
        StaticRules rules = new StaticRules(family, options, true, 0);
        BalanceChains chains = new BalanceChains(family, rules, new KnownRules());
        BalanceChains.Space space = new BalanceChains.Space(false, false, Protocol.TCP);
        chains.local(space, 1, 1, AFFINITY);
        chains.masqueraded(space, 1, 0);
        if (family == IpFamily.IPV4) {
            chains.learn(AFFINITY);
        }
        return "add table " + Table.of(family) + "\ndelete table " + Table.of(family) + "\n" + rules.script() + chains.script();
    }
}
