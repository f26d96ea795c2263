package dev.cairn.proxy.nft;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a table holds, read from what {@code nft list table} prints: elements stand there as they are written. Only the names of chains
 * count, since they say what is in them.
 */
final class NftListing {
    private final Set<String> chains = new HashSet<>();
    private final Map<NftSet, Map<String, String>> elements = new EnumMap<>(NftSet.class);

    private @Nullable NftSet set;
    private boolean inElements;

    private NftListing() {}

    static NftListing parse(String text) {
        NftListing listing = new NftListing();
        text.lines().map(String::strip).forEach(listing::line);
        return listing;
    }

    Set<String> chains() {
        return chains;
    }

    /** The elements by set; those of sets that are not ours are left out. */
    Map<NftSet, Map<String, String>> elements() {
        return elements;
    }

    private void line(String line) {
        String[] words = line.split(" ", -1);
        if (words.length == 3 && words[2].equals("{") && !inElements) {
            if (words[0].equals("chain")) {
                chains.add(words[1]);
            }
            set = words[0].equals("map") || words[0].equals("set") ? byName(words[1]) : null;
        } else if (line.startsWith("elements = {")) {
            inElements = true;
            elements(line.substring("elements = {".length()));
        } else if (inElements) {
            elements(line);
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
