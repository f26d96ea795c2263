package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Audit;
import dev.cairn.proxy.sync.Backend;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares the tables in the kernel with what plans ask for. */
final class NftAudit {
    private final NftRunner runner;
    private final List<IpFamily> families;
    private final int masqueradeBit;

    NftAudit(NftRunner runner, List<IpFamily> families, int masqueradeBit) {
        this.runner = runner;
        this.families = families;
        this.masqueradeBit = masqueradeBit;
    }

    Audit compare(Backend.Desired desired) throws ApplyFailure {
        Audit all = Audit.CLEAN;
        for (IpFamily family : families) {
            @Nullable String text = runner.list(List.of("nft", "list", "table", Table.word(family), Table.NAME));
            String name = "table " + Table.of(family);
            all = all.and(text == null ? new Audit(List.of(name + " is missing"), List.of())
                    : new Comparison(name, family, desired).with(NftListing.parse(text)));
        }
        return all;
    }

    /** The comparison of one family. */
    private final class Comparison {
        private final String name;
        private final Map<NftSet, Map<String, String>> elements = new EnumMap<>(NftSet.class);
        private final Map<String, Integer> chains = new TreeMap<>();
        private final List<String> drift = new ArrayList<>();
        private final List<String> foreign = new ArrayList<>();

        Comparison(String name, IpFamily family, Backend.Desired desired) {
            this.name = name;
            boolean everywhere = desired.options().nodePortAddresses().of(family, desired.node()) == null;
            StaticRules rules = new StaticRules(family, desired.options(), everywhere, masqueradeBit);
            BalanceChains balance = new BalanceChains(family, rules);
            ServiceElements wanted = new ServiceElements(family, balance, this::shallBe);
            desired.plans().values().forEach(wanted::of);
            NftBackend.globals(family, desired).forEach((set, keys) -> keys.forEach(key -> shallBe(set, key, "")));
            chains.putAll(rules.counts());
            chains.putAll(balance.counts());
        }

        private void shallBe(NftSet set, String key, String value) {
            elements.computeIfAbsent(set, _ -> new TreeMap<>()).put(key, value);
        }

        Audit with(NftListing listing) {
            chains.forEach((chain, count) -> {
                Integer there = listing.rules().get(chain);
                if (there == null) {
                    drift.add(name + ": chain " + chain + " is missing");
                } else if (!there.equals(count)) {
                    drift.add(name + ": chain " + chain + " has " + there + " rules instead of " + count);
                }
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
            return new Audit(drift, foreign);
        }

        private void elements(NftSet set, Map<String, String> wanted, Map<String, String> there) {
            if (set.isNumbered()) {
                numbered(set, wanted, there);
                return;
            }
            wanted.forEach((key, value) -> {
                String now = there.get(key);
                if (now == null) {
                    drift.add(name + ": " + set.text() + " lacks " + element(key, value));
                } else if (!now.equals(value)) {
                    drift.add(name + ": " + set.text() + " has " + element(key, now) + " instead of " + value);
                }
            });
            new TreeMap<>(there).forEach((key, value) -> {
                if (!wanted.containsKey(key)) {
                    drift.add(name + ": " + set.text() + " has " + element(key, value) + " without need");
                }
            });
        }

        private static String element(String key, String value) {
            return value.isEmpty() ? key : key + " : " + value;
        }

        /** Which endpoint has which number is of no account, as long as all numbers are taken. */
        private void numbered(NftSet set, Map<String, String> wanted, Map<String, String> there) {
            Map<String, Map<Integer, String>> shallBe = byPlace(wanted);
            Map<String, Map<Integer, String>> are = byPlace(there);
            TreeSet<String> places = new TreeSet<>(shallBe.keySet());
            places.addAll(are.keySet());
            for (String place : places) {
                Map<Integer, String> some = shallBe.getOrDefault(place, Map.of());
                Map<Integer, String> now = are.getOrDefault(place, Map.of());
                if (!some.keySet().equals(now.keySet()) || !sorted(some).equals(sorted(now))) {
                    drift.add(name + ": " + set.text() + " has for " + place + " " + sorted(now) + " instead of " + sorted(some));
                }
            }
        }

        private static List<String> sorted(Map<Integer, String> endpoints) {
            return endpoints.values().stream().sorted().toList();
        }

        private static Map<String, Map<Integer, String>> byPlace(Map<String, String> elements) {
            Map<String, Map<Integer, String>> byPlace = new TreeMap<>();
            elements.forEach((key, value) -> {
                int dot = key.lastIndexOf(" . ");
                byPlace.computeIfAbsent(key.substring(0, dot), _ -> new TreeMap<>()).put(number(key.substring(dot + 3)), value);
            });
            return byPlace;
        }

        /** nft may print it as a hexadecimal number. */
        private static Integer number(String text) {
            return Integer.decode(text);
        }
    }
}
