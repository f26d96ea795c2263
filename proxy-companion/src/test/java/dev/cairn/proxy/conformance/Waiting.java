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
    static final Map<ProxyMode, List<String>> FOR_BACKEND = new TreeMap<>();

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
        return FOR_BACKEND.values().stream().anyMatch(ids -> ids.contains(one.id()));
    }
}
