package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Audit;
import dev.cairn.proxy.sync.Backend;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Compares the tables in the kernel with what plans ask for. */
final class NftAudit {
    private final NftElements reader;
    private final List<IpFamily> families;
    private final int masqueradeBit;
    private final Function<IpFamily, KnownRules> intact;

    NftAudit(NftElements reader, List<IpFamily> families, int masqueradeBit, Function<IpFamily, KnownRules> intact) {
        this.reader = reader;
        this.families = families;
        this.masqueradeBit = masqueradeBit;
        this.intact = intact;
    }

    Audit compare(Backend.Desired desired) throws ApplyFailure {
        Audit all = Audit.CLEAN;
        for (IpFamily family : families) {
            @Nullable NftListing listing = reader.read(family);
            String name = "table " + Table.of(family);
            all = all.and(listing == null ? new Audit(List.of(name + " is missing"), List.of())
                    : new Comparison(name, family, desired).with(listing));
        }
        return all;
    }

    /** The comparison of one family. */
    private final class Comparison {
        private final String name;
        private final IpFamily family;
        private final Map<NftSet, Map<Packed, Packed>> elements = new EnumMap<>(NftSet.class);
        private final Map<String, List<String>> chains = new TreeMap<>();
        private final List<String> drift = new ArrayList<>();
        private final List<String> foreign = new ArrayList<>();

        Comparison(String name, IpFamily family, Backend.Desired desired) {
            this.name = name;
            this.family = family;
            boolean everywhere = desired.options().nodePortAddresses().of(family, desired.node()) == null;
            StaticRules rules = new StaticRules(family, desired.options(), everywhere, masqueradeBit);
            BalanceChains balance = new BalanceChains(family, rules, new KnownRules());
            ServiceElements wanted = new ServiceElements(family, balance, this::shallBe);
            desired.plans().values().forEach(wanted::of);
            NftBackend.globals(family, desired).forEach((set, keys) -> keys.forEach(key -> shallBe(set, key, Packed.EMPTY)));
            chains.putAll(rules.chains());
            chains.putAll(balance.chains());
        }

        private void shallBe(NftSet set, Packed key, Packed value) {
            elements.computeIfAbsent(set, _ -> new HashMap<>()).put(key, value);
        }

        Audit with(NftListing listing) {
            if (listing.dormant()) {
                drift.add(name + " is dormant");
            }
            chains.forEach((chain, rules) -> {
                if (listing.dropping().contains(chain)) {
                    drift.add(name + ": chain " + chain + " has the policy drop");
                }
                rules(chain, rules, listing.rules().get(chain));
            });
            for (String chain : listing.chains()) {
                if (!chains.containsKey(chain) && !BalanceChains.isName(chain)) {
                    foreign.add(name + ": chain " + chain);
                }
            }
            listing.others().forEach(other -> foreign.add(name + ": " + other));
            for (NftSet set : NftSet.values()) {
                if (!listing.sets().contains(set)) {
                    drift.add(name + ": set " + set.text() + " is missing");
                } else {
                    elements(set, elements.getOrDefault(set, Map.of()), listing.elements().getOrDefault(set, Map.of()));
                }
            }
            drift.sort(null);
            return new Audit(drift, foreign);
        }

        private void rules(String chain, List<String> wanted, @Nullable List<NftRule> there) {
            if (there == null) {
                drift.add(name + ": chain " + chain + " is missing");
            } else if (there.size() != wanted.size()) {
                drift.add(name + ": chain " + chain + " has " + there.size() + " rules instead of " + wanted.size());
            } else {
                int changed = intact.apply(family).changed(chain, wanted, there);
                if (changed >= 0) {
                    drift.add(name + ": chain " + chain + " has another rule in the place of " + wanted.get(changed));
                }
            }
        }

        private void elements(NftSet set, Map<Packed, Packed> wanted, Map<Packed, Packed> there) {
            if (set.isNumbered()) {
                numbered(set, wanted, there);
                return;
            }
            wanted.forEach((key, value) -> {
                Packed now = there.get(key);
                if (now == null) {
                    drift.add(name + ": " + set.text() + " lacks " + ElementText.element(set, family, key, value));
                } else if (!now.equals(value)) {
                    drift.add(name + ": " + set.text() + " has " + ElementText.element(set, family, key, now) + " instead of "
                            + ElementText.value(set, family, value));
                }
            });
            there.forEach((key, value) -> {
                if (!wanted.containsKey(key)) {
                    drift.add(name + ": " + set.text() + " has " + ElementText.element(set, family, key, value) + " without need");
                }
            });
        }

        /** Which endpoint has which number is of no account, as long as all numbers are taken. */
        private void numbered(NftSet set, Map<Packed, Packed> wanted, Map<Packed, Packed> there) {
            Map<Packed, Map<Integer, String>> shallBe = byPlace(set, wanted);
            Map<Packed, Map<Integer, String>> are = byPlace(set, there);
            Set<Packed> places = new HashSet<>(shallBe.keySet());
            places.addAll(are.keySet());
            for (Packed place : places) {
                Map<Integer, String> some = shallBe.getOrDefault(place, Map.of());
                Map<Integer, String> now = are.getOrDefault(place, Map.of());
                if (!some.keySet().equals(now.keySet()) || !sorted(some).equals(sorted(now))) {
                    String key = ElementText.key(set, family, place.andNumber(0));
                    drift.add(name + ": " + set.text() + " has for " + key.substring(0, key.lastIndexOf(" . ")) + " " + sorted(now)
                            + " instead of " + sorted(some));
                }
            }
        }

        private static List<String> sorted(Map<Integer, String> endpoints) {
            return endpoints.values().stream().sorted().toList();
        }

        private Map<Packed, Map<Integer, String>> byPlace(NftSet set, Map<Packed, Packed> elements) {
            Map<Packed, Map<Integer, String>> byPlace = new HashMap<>();
            elements.forEach((key, value) -> byPlace.computeIfAbsent(key.without(4), _ -> new TreeMap<>())
                    .put(key.numberAt(key.length() - 4), ElementText.value(set, family, value)));
            return byPlace;
        }
    }
}
