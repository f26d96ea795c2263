package dev.cairn.proxy.userspace;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares a table in the kernel with what shall be in it. */
final class NftComparison {
    private final String table;
    private final NftListed listed;
    private final boolean portsKnown;

    NftComparison(String table, NftListed listed, boolean portsKnown) {
        this.table = table;
        this.listed = listed;
        this.portsKnown = portsKnown;
    }

    void compare(Crossing crossing, Map<NftElements.Key, String> wanted, List<String> drift) {
        NftRules rules = new NftRules(crossing);
        rules.rules().forEach((chain, own) -> {
            if (!rules.areOurs(own, listed.rules().getOrDefault(chain, List.of()))) {
                drift.add("chain " + chain + " of table " + table + " was changed");
            }
        });
        Map<String, Map<String, String>> rest = new HashMap<>();
        listed.elements().forEach((set, elements) -> rest.put(set, new HashMap<>(elements)));
        wanted.forEach((key, value) -> {
            if (key.family() == crossing.family() && counts(key.set())) {
                Map<String, String> own = rest.getOrDefault(key.set(), Map.of());
                String there = own.isEmpty() ? null : own.remove(key.key());
                if (there == null) {
                    drift.add(element(key.key(), key.set()) + " is missing");
                } else if (!there.equals(value) && !(isPort(key.set()) && !portsKnown)) {
                    drift.add(element(key.key(), key.set()) + " is " + there + ", not " + value);
                }
            }
        });
        rest.forEach((set, elements) -> elements.keySet().stream().filter(_ -> counts(set)).sorted()
                .forEach(key -> drift.add(element(key, set) + " is left over")));
    }

    private boolean counts(String set) {
        return portsKnown || !set.equals("listeners");
    }

    private static boolean isPort(String set) {
        return set.endsWith("ports") && !set.contains("service") && !set.startsWith("no-");
    }

    private String element(String key, String set) {
        return "element { " + key + " } of " + set + " in table " + table;
    }
}
