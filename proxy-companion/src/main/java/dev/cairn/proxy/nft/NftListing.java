package dev.cairn.proxy.nft;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a table holds, read from what {@code nft list table} prints: elements stand there as they are written. The names of chains
 * say what is in them; of their rules only the number counts, since nft does not print rules as they are written.
 */
final class NftListing {
    private final Map<String, Integer> rules = new TreeMap<>();
    private final Set<NftSet> sets = new TreeSet<>();
    private final Set<String> others = new TreeSet<>();
    private final Map<NftSet, Map<String, String>> elements = new EnumMap<>(NftSet.class);

    private @Nullable String chain;
    private @Nullable NftSet set;
    private boolean inElements;

    private NftListing() {}

    static NftListing parse(String text) {
        NftListing listing = new NftListing();
        text.lines().map(String::strip).forEach(listing::line);
        return listing;
    }

    Set<String> chains() {
        return rules.keySet();
    }

    /** How many rules each chain has. */
    Map<String, Integer> rules() {
        return rules;
    }

    /** The sets of ours that are there. */
    Set<NftSet> sets() {
        return sets;
    }

    /** Sets, counters and other things that are not ours. */
    Set<String> others() {
        return others;
    }

    /** The elements by set; those of sets that are not ours are left out. */
    Map<NftSet, Map<String, String>> elements() {
        return elements;
    }

    private void line(String line) {
        String[] words = line.split(" ", -1);
        if (words.length == 3 && words[2].equals("{") && !inElements) {
            begin(words[0], words[1]);
        } else if (chain != null && !line.isEmpty()) {
            if (line.equals("}")) {
                chain = null;
            } else if (!line.startsWith("type ") || !line.contains(" hook ")) {
                rules.merge(chain, 1, Integer::sum);
            }
        } else if (line.startsWith("elements = {")) {
            inElements = true;
            elements(line.substring("elements = {".length()));
        } else if (inElements) {
            elements(line);
        }
    }

    private void begin(String kind, String name) {
        set = null;
        if (kind.equals("chain")) {
            chain = name;
            rules.putIfAbsent(name, 0);
            return;
        }
        set = byName(name);
        if (set != null) {
            sets.add(set);
        } else if (!name.equals(StaticRules.AFFINITY)) {
            others.add(kind + " " + name);
        }
    }

    private static @Nullable NftSet byName(String name) {
        for (NftSet candidate : NftSet.values()) {
            if (candidate.text().equals(name)) {
                return candidate;
            }
        }
        return null;
    }

    private void elements(String line) {
        String some = line;
        if (some.endsWith("}")) {
            some = some.substring(0, some.length() - 1);
            inElements = false;
        }
        if (set == null) {
            return;
        }
        Map<String, String> own = elements.computeIfAbsent(set, _ -> new HashMap<>());
        for (String element : some.split(",", -1)) {
            int colon = element.indexOf(" : ");
            String key = colon < 0 ? element.strip() : element.substring(0, colon).strip();
            if (!key.isEmpty()) {
                own.put(protocol(key), colon < 0 ? "" : element.substring(colon + 3).strip());
            }
        }
    }

    /** Without /etc/protocols, as in small images, nft prints numbers. */
    private static String protocol(String key) {
        if (key.indexOf(" . ") < 0 || key.contains("tcp") || key.contains("udp") || key.contains("sctp")) {
            return key;
        }
        String[] parts = key.split(" \\. ", -1);
        for (int i = 0; i < parts.length; i++) {
            String name = i > 2 ? null : switch (parts[i]) {
                case "6" -> "tcp";
                case "17" -> "udp";
                case "132" -> "sctp";
                default -> null;
            };
            if (name != null) {
                parts[i] = name;
                break;
            }
        }
        return String.join(" . ", parts);
    }
}
