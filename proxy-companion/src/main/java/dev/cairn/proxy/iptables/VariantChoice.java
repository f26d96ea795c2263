package dev.cairn.proxy.iptables;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.sync.ApplyFailure;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds out which kind of iptables this machine uses: rules of both kinds together would send packets on twice. */
final class VariantChoice {
    private final IptablesRunner runner;
    private final Collection<IpFamily> families;

    VariantChoice(IptablesRunner runner, Collection<IpFamily> families) {
        this.runner = runner;
        this.families = families;
    }

    /** The kind that the kubelet uses, which leaves a sign; else the one that has more rules, and of none that of nftables. */
    Variant choose() throws ApplyFailure {
        Map<Variant, Integer> rules = new EnumMap<>(Variant.class);
        for (Variant variant : List.of(Variant.NFT, Variant.LEGACY)) {
            for (IpFamily family : families) {
                @Nullable Listing listing = runner.listIfPossible(variant, family);
                if (listing != null && listing.isKubelets()) {
                    return variant;
                }
                if (listing != null) {
                    rules.merge(variant, listing.rules(), Integer::sum);
                }
            }
        }
        if (rules.isEmpty()) {
            return Variant.PLAIN;
        }
        return rules.getOrDefault(Variant.LEGACY, -1) > rules.getOrDefault(Variant.NFT, -1) ? Variant.LEGACY : Variant.NFT;
    }
}
