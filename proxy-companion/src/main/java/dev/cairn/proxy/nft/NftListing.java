package dev.cairn.proxy.nft;

import java.util.Map;
import java.util.Set;

/**
 * What a table holds. The names of chains say what is in them; of their rules only the number counts, since the kernel does not keep rules as
 * they were written.
 *
 * @param rules how many rules each chain has
 * @param sets the sets of ours that are there
 * @param others sets, counters and other things that are not ours
 * @param elements the elements by set; those of sets that are not ours are left out
 */
record NftListing(Map<String, Integer> rules, Set<NftSet> sets, Set<String> others, Map<NftSet, Map<Packed, Packed>> elements) {
    Set<String> chains() {
        return rules.keySet();
    }
}
