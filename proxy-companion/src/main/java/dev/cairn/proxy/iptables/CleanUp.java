package dev.cairn.proxy.iptables;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.sync.ApplyFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Removes all chains of a proxy, of whatever kind of iptables; the kubelet's stay. */
final class CleanUp {
    private final IptablesRunner runner;

    CleanUp(IptablesRunner runner) {
        this.runner = runner;
    }

    /** What was removed, one line each. The plain programs are of one of the kinds, and asked only where those are not. */
    List<String> run(Collection<IpFamily> families) throws ApplyFailure {
        List<String> removed = new ArrayList<>(run(Variant.NFT, families));
        removed.addAll(run(Variant.LEGACY, families));
        if (runner.listIfPossible(Variant.NFT, IpFamily.IPV4) == null && runner.listIfPossible(Variant.LEGACY, IpFamily.IPV4) == null) {
            removed.addAll(run(Variant.PLAIN, families));
        }
        return removed;
    }

    /** The same of one kind. Where it does not work there is nothing of it. */
    List<String> run(Variant variant, Collection<IpFamily> families) throws ApplyFailure {
        List<String> removed = new ArrayList<>();
        for (IpFamily family : families) {
            @Nullable Listing listing = runner.listIfPossible(variant, family);
            RestoreScript script = listing == null ? new RestoreScript() : script(listing);
            if (listing != null && !script.isEmpty()) {
                runner.restore(variant, family, script);
                removed.add(listing.chains().size() + " chains of " + variant.program(family, "restore").replace("-restore", ""));
            }
        }
        return removed;
    }

    /** Another chain than the tables' own is its owner's, and what it leads to is emptied and stays. */
    private static RestoreScript script(Listing listing) {
        RestoreScript script = new RestoreScript();
        List<Layout.Jump> jumps = listing.jumpsTo(_ -> true);
        jumps.forEach(jump -> script.remove(jump.from(), jump.rule()));
        Set<Chain> needed = listing.referredByOthers(new HashSet<>(jumps));
        listing.chains().forEach((chain, rules) -> {
            if (!needed.contains(chain)) {
                script.delete(chain);
            } else if (!rules.isEmpty()) {
                script.replace(chain, List.of());
            }
        });
        return script;
    }
}
