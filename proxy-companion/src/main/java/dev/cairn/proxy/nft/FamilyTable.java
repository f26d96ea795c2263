package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.plan.ServicePlan;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table of a family: what is known to be in it, and what is about to change. Used by one thread. */
final class FamilyTable {
    private final IpFamily family;
    private final StaticRules rules;
    private final BalanceChains chains;
    private final KnownRules intact;
    private final Map<NftSet, Map<Packed, Integer>> uses = new EnumMap<>(NftSet.class);
    /** While all is loaded, what the kernel has and nobody has asked for yet. */
    private Map<NftSet, Map<Packed, Packed>> found = Map.of();
    private Map<NftSet, List<Packed>> globals = Map.of();
    private Map<NftSet, List<Packed>> nextGlobals = Map.of();
    private Edits edits = new Edits();

    FamilyTable(IpFamily family, StaticRules rules, KnownRules intact) {
        this.family = family;
        this.rules = rules;
        this.intact = intact;
        chains = new BalanceChains(family, rules, intact);
    }

    IpFamily family() {
        return family;
    }

    String marker() {
        return rules.marker();
    }

    int size() {
        return edits.size();
    }

    /** Takes over what is there; what has to be done before its elements can be edited. */
    String adopt(@Nullable NftListing listing) {
        if (listing == null) {
            intact.forgetAll();
            return rules.script();
        }
        if (listing.chains().stream().noneMatch(chain -> chain.startsWith(StaticRules.layoutMarker() + "-"))) {
            intact.forgetAll();
            return "delete table " + Table.of(family) + "\n" + rules.script();
        }
        intact.see(listing.rules());
        found = new HashMap<>(listing.elements());
        found.forEach((set, elements) -> {
            if (set.isShared()) {
                // Held by nobody yet: an element is kept when the first service asks for it.
                elements.keySet().forEach(key -> uses.computeIfAbsent(set, _ -> new HashMap<>()).put(key, 1));
            }
        });
        boolean known = listing.chains().contains(rules.marker());
        if (known) {
            chains.adopt(listing.rules());
        }
        if (known && isWhole(listing)) {
            return "";
        }
        intact.forget(rules.chains().keySet());
        StringBuilder script = new StringBuilder(rules.script());
        listing.chains().stream()
                .filter(chain -> chain.startsWith(StaticRules.layoutMarker() + "-") && !chain.equals(rules.marker()))
                .forEach(chain -> script.append("delete chain ").append(Table.of(family)).append(' ').append(chain).append('\n'));
        return script.toString();
    }

    private boolean isWhole(NftListing listing) {
        Map<String, List<String>> own = rules.chains();
        return !listing.dormant() && Collections.disjoint(listing.dropping(), own.keySet())
                && listing.sets().size() == NftSet.values().length
                && own.keySet().stream().allMatch(chain -> intact.hold(chain, own.getOrDefault(chain, List.of()), listing.rules().get(chain)));
    }

    /** What the kernel has made of rules that were just written. */
    void written(Map<String, List<NftRule>> there) {
        intact.see(there);
    }

    void was(ServicePlan plan) {
        new ServiceElements(family, chains, edits::was).of(plan);
    }

    void shallBe(ServicePlan plan) {
        new ServiceElements(family, chains, this::shallBe).of(plan);
    }

    private void shallBe(NftSet set, Packed key, Packed value) {
        Map<Packed, Packed> elements = found.get(set);
        Packed there = elements == null ? null : elements.remove(key);
        if (there != null && there.equals(value) && !set.isShared()) {
            return;   // as are nearly all that a new process finds
        }
        if (there != null) {
            edits.was(set, key, there);
        }
        edits.shallBe(set, key, value);
    }

    void globals(Map<NftSet, List<Packed>> elements) {
        nextGlobals = elements;
        globals.forEach((set, keys) -> keys.forEach(key -> edits.was(set, key, Packed.EMPTY)));
        nextGlobals.forEach((set, keys) -> keys.forEach(key -> shallBe(set, key, Packed.EMPTY)));
    }

    /** What the kernel has and nobody asked for goes. */
    void dropRest() {
        found.forEach((set, elements) -> elements.forEach((key, value) -> edits.was(set, key, value)));
        found = Map.of();
    }

    /** Asks for the chains that a plan needs, without its elements. */
    void prepare(ServicePlan plan) {
        new ServiceElements(family, chains, (_, _, _) -> {}).of(plan);
    }

    /** Makes the chains that are asked for and not there; to be done before the elements that lead to them. */
    String chains() {
        return chains.script();
    }

    List<ElementChange> changes() {
        return edits.changes(family, uses);
    }

    void committed() {
        chains.committed();
        edits.count(uses);
        edits = new Edits();
        globals = nextGlobals;
    }
}
