package dev.cairn.proxy.userspace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What {@code nft list table} says: elements stand there as they are written, and of rules the comments count.
 *
 * @param elements by set and key; the value is empty in a set that is no map
 * @param rules the rules of each chain
 */
record NftListed(Map<String, Map<String, String>> elements, Map<String, List<String>> rules) {
    static NftListed parse(String text) {
        NftListed listed = new NftListed(new TreeMap<>(), new TreeMap<>());
        String chain = "";
        String set = "";
        boolean inElements = false;
        for (String raw : text.lines().toList()) {
            String line = raw.strip();
            String[] words = line.split(" ", -1);
            if (!inElements && words.length == 3 && words[2].equals("{")) {
                chain = words[0].equals("chain") ? words[1] : "";
                set = words[0].equals("map") || words[0].equals("set") ? words[1] : "";
                if (!chain.isEmpty()) {
                    listed.rules.put(chain, new ArrayList<>());
                }
            } else if (inElements || line.startsWith("elements = {")) {
                String some = line.startsWith("elements = {") ? line.substring("elements = {".length()) : line;
                inElements = !some.endsWith("}");
                listed.add(set, inElements ? some : some.substring(0, some.length() - 1));
            } else if (!chain.isEmpty() && !line.isEmpty() && !line.equals("}") && !line.startsWith("type ")) {
                listed.rules.computeIfAbsent(chain, _ -> new ArrayList<>()).add(line);
            }
        }
        return listed;
    }

    private void add(String set, String line) {
        Map<String, String> own = elements.computeIfAbsent(set, _ -> new TreeMap<>());
        for (String element : line.split(",", -1)) {
            int colon = element.indexOf(" : ");
            String key = colon < 0 ? element.strip() : element.substring(0, colon).strip();
            if (!key.isEmpty()) {
                own.put(protocol(key), colon < 0 ? "" : element.substring(colon + 3).strip());
            }
        }
    }

    /** Without /etc/protocols, as in small images, nft prints numbers. */
    private static String protocol(String key) {
        String[] parts = key.split(" \\. ", -1);
        int at = parts.length == 2 ? 0 : 1;
        if (parts.length > 1) {
            parts[at] = switch (parts[at]) {
                case "6" -> "tcp";
                case "17" -> "udp";
                case "132" -> "sctp";
                default -> parts[at];
            };
        }
        return String.join(" . ", parts);
    }
}
