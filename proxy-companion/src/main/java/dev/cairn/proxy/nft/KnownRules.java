package dev.cairn.proxy.nft;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells rules that are as they were written from those that somebody changed: by their comments, and by what the kernel made of them when
 * this process first saw them. For the table of a family. Used by one thread.
 */
final class KnownRules {
    private final Map<String, List<NftRule>> seen = new HashMap<>();

    /** These chains are about to be written. */
    void forget(Collection<String> chains) {
        seen.keySet().removeAll(chains);
    }

    /** The whole table is about to be made. */
    void forgetAll() {
        seen.clear();
    }

    /** What the kernel has; chains that were seen before are to stay as they were. */
    void see(Map<String, List<NftRule>> rules) {
        rules.forEach(seen::putIfAbsent);
    }

    /** Whether a chain has some rules and no others. */
    boolean hold(String chain, List<String> wanted, @Nullable List<NftRule> there) {
        return there != null && there.size() == wanted.size() && changed(chain, wanted, there) < 0;
    }

    /** Which of the rules of a chain is another; -1 if none is. There are as many as there should be. */
    int changed(String chain, List<String> wanted, List<NftRule> there) {
        List<NftRule> before = seen.getOrDefault(chain, there);
        for (int i = 0; i < wanted.size(); i++) {
            NftRule rule = there.get(i);
            if (!rule.comment().equals(RuleComment.of(wanted.get(i))) || (i < before.size() && before.get(i).sum() != rule.sum())) {
                return i;
            }
        }
        return -1;
    }
}
