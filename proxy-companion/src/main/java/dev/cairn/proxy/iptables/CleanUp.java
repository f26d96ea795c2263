package dev.cairn.proxy.iptables;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.sync.ApplyFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Removes all chains of a proxy, of whatever kind of iptables; the kubelet's stay. */
final class CleanUp {
    private final IptablesRunner runner;

    CleanUp(IptablesRunner runner) {
        this.runner = runner;
    }

    /** What was removed, one line each. What the plain programs find is of one of the others, and gone by then. */
    List<String> run(Collection<IpFamily> families) throws ApplyFailure {
        List<String> removed = new ArrayList<>();
        for (Variant variant : Variant.values()) {
            removed.addAll(run(variant, families));
        }
        return removed;
    }

    /** The same of one kind. Where it does not work there is nothing of it. */
    List<String> run(Variant variant, Collection<IpFamily> families) throws ApplyFailure {
        List<String> removed = new ArrayList<>();
        for (IpFamily family : families) {
            @Nullable Listing listing = runner.listIfPossible(variant, family);
            if (listing != null && !listing.chains().isEmpty()) {
                runner.restore(variant, family, script(listing));
                removed.add(listing.chains().size() + " chains of " + variant.program(family, "restore").replace("-restore", ""));
            }
        }
        return removed;
    }

    private static RestoreScript script(Listing listing) {
        RestoreScript script = new RestoreScript();
        // A rule of the tables' own chains is one of ours; another chain is its owner's, and what it leads to is emptied and stays.
        listing.others().forEach((chain, rules) -> {
            if (isBuiltIn(chain)) {
                rules.stream().filter(rule -> listing.chains().containsKey(new Chain(chain.table(), Listing.target(rule))))
                        .forEach(rule -> script.remove(chain, rule));
            }
        });
        Set<Chain> needed = new TreeSet<>();
        listing.others().forEach((chain, rules) -> {
            if (!isBuiltIn(chain)) {
                rules.forEach(rule -> needed.add(new Chain(chain.table(), Listing.target(rule))));
            }
        });
        for (Chain chain : new TreeSet<>(listing.chains().keySet())) {
            if (needed.contains(chain)) {
                script.replace(chain, List.of());
            } else {
                script.delete(chain);
            }
        }
        return script;
    }

    private static boolean isBuiltIn(Chain chain) {
        return Set.of("INPUT", "OUTPUT", "FORWARD", "PREROUTING", "POSTROUTING").contains(chain.name());
    }
}
