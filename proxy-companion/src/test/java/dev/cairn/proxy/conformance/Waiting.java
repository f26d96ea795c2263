package dev.cairn.proxy.conformance;

import dev.cairn.proxy.config.ProxyMode;
import dev.cairn.proxy.conformance.Facts.Case;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is not tried, and why: the one place. {@code ProxyConformanceTest} fails when a backend that is waited for has come, so that its
 * line is taken out here and its cases run.
 */
final class Waiting {
    /** Cases that are about the rules or servers of a backend alone. */
    static final Map<ProxyMode, List<String>> FOR_BACKEND = new TreeMap<>(Map.of(
            ProxyMode.IPTABLES, List.of(
                    "hash-iptables-xpgd46qrk7wjzt7o", "hash-iptables-x27le4bhsl4douik", "hash-iptables-4sw47yfztedkd3pk", "hash-iptables-nukiz6okuxpjnt4c",
                    "hash-iptables-sep-uksfd7agpmppluhc", "hash-iptables-sep-c6ebxvwjjzmiwklz", "probability-format", "invalid-drop-plain",
                    "invalid-drop-nfacct")));

    /** kube-proxy's chain for each service, which our nftables do not have: what such a chain does is in the flows. */
    static final List<String> OTHER_LAYOUT = List.of(
            "hash-nftables-ulmva6xw", "hash-nftables-4at6lbpk", "hash-nftables-lauztjtb", "hash-nftables-hvfwp5l3",
            "nft-dnat-single-v4", "nft-dnat-single-v6", "nft-dnat-multi-v6");

    private Waiting() {}

    /** The same as {@link #FOR_BACKEND}, found out from the file and from what is here. */
    static Map<ProxyMode, List<String>> found(List<Case> cases) {
        return new TreeMap<>(Stream.of(ProxyMode.values())
                .filter(mode -> !mode.isHere())
                .flatMap(mode -> cases.stream()
                        .filter(one -> one.modes().equals(List.of(mode.toString())) && !one.expect().containsKey("flows"))
                        .map(one -> Map.entry(mode, one.id())))
                .collect(Collectors.groupingBy(Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList()))));
    }

    static boolean contains(Case one) {
        return OTHER_LAYOUT.contains(one.id()) || FOR_BACKEND.values().stream().anyMatch(ids -> ids.contains(one.id()));
    }
}
