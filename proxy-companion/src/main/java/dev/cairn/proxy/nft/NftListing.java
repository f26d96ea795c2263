package dev.cairn.proxy.nft;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a table holds.
 *
 * @param dormant whether the kernel passes its rules over
 * @param rules the rules of each chain, in their order
 * @param dropping the chains that drop what no rule of theirs decides on
 * @param sets the sets of ours that are there
 * @param others sets, counters and other things that are not ours
 * @param elements the elements by set; those of sets that are not ours are left out
 */
record NftListing(
        boolean dormant,
        Map<String, List<NftRule>> rules,
        Set<String> dropping,
        Set<NftSet> sets,
        Set<String> others,
        Map<NftSet, Map<Packed, Packed>> elements) {
    Set<String> chains() {
        return rules.keySet();
    }
}
