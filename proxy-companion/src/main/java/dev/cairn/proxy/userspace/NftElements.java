package dev.cairn.proxy.userspace;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The elements that redirects have in the sets and maps of {@code NftRules}. */
final class NftElements {
    /** Elements in one command: nft is slow with very long ones. */
    private static final int BATCH = 500;

    private NftElements() {}

    /** An element's place in a set of a family. */
    record Key(IpFamily family, String set, String key) {}

    /** Adds what redirects have; the value is empty in a set that is no map. */
    static void add(List<Redirect> redirects, Map<Key, String> to) {
        redirects.forEach(redirect -> add(redirect, to));
    }

    private static void add(Redirect redirect, Map<Key, String> to) {
        IpFamily family = redirect.place().family();
        boolean nodePort = redirect.place().address() == null;
        String protocol = redirect.place().protocol().label();
        String place = (nodePort ? "" : redirect.place().address() + " . ") + protocol + " . " + redirect.place().port();
        String prefix = nodePort ? "nodeport-" : "";
        if (redirect.port() != 0) {
            String chain = prefix + (redirect.outsideDiffers() ? "local" : "cluster");
            to.put(new Key(family, nodePort ? "service-nodeports" : "service-ips", place), "goto " + chain);
            to.put(new Key(family, prefix + "ports", place), Integer.toString(redirect.port()));
            to.put(new Key(family, "listeners", protocol + " . " + redirect.port()), "");
        }
        if (redirect.outsidePort() != 0) {
            to.put(new Key(family, prefix + "local-ports", place), Integer.toString(redirect.outsidePort()));
            to.put(new Key(family, "listeners", protocol + " . " + redirect.outsidePort()), "");
        }
        if (redirect.isRefusing()) {
            to.put(new Key(family, nodePort ? "no-endpoint-nodeports" : "no-endpoint-services", place), redirect.reject() ? "goto reject-chain" : "drop");
        }
        if (!redirect.sources().isEmpty()) {
            to.put(new Key(family, "firewall-ips", place), "");
            redirect.sources().forEach(range -> to.put(new Key(family, "firewall-allow", place + " . " + text(range)), ""));
        }
    }

    /** As nft prints it: a range of one address is that address. */
    private static String text(AddressRange range) {
        return range.prefix() == (range.family() == IpFamily.IPV4 ? 32 : 128) ? range.first().toString() : range.toString();
    }

    /** The commands that lead from one state to another: what goes or changes is deleted first. */
    static String script(Map<Key, String> before, Map<Key, String> after) {
        Map<String, List<String>> gone = new LinkedHashMap<>();
        Map<String, List<String>> come = new LinkedHashMap<>();
        before.forEach((key, value) -> {
            if (!value.equals(after.get(key))) {
                gone.computeIfAbsent(set(key), _ -> new ArrayList<>()).add(key.key());
            }
        });
        after.forEach((key, value) -> {
            if (!value.equals(before.get(key))) {
                come.computeIfAbsent(set(key), _ -> new ArrayList<>()).add(value.isEmpty() ? key.key() : key.key() + " : " + value);
            }
        });
        StringBuilder script = new StringBuilder();
        gone.forEach((set, elements) -> elements(script, "delete", set, elements));
        come.forEach((set, elements) -> elements(script, "add", set, elements));
        return script.toString();
    }

    private static String set(Key key) {
        return (key.family() == IpFamily.IPV4 ? "ip " : "ip6 ") + NftRules.TABLE + " " + key.set();
    }

    private static void elements(StringBuilder script, String verb, String set, List<String> elements) {
        for (int from = 0; from < elements.size(); from += BATCH) {
            script.append(verb).append(" element ").append(set).append(" { ")
                    .append(String.join(", ", elements.subList(from, Math.min(from + BATCH, elements.size())))).append(" }\n");
        }
    }
}
