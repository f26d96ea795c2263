package dev.cairn.conformance;

import dev.cairn.plugin.PluginSetup;
import dev.cairn.server.PluginList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What is not tried, and why: the one place. {@code DnsConformanceTest} fails when a plugin that is waited for has come, so that its line
 * is taken out here and its suites run.
 */
final class Waiting {
    /** Suites by the plugin that is not here yet; a suite that needs two stands under both. */
    static final Map<String, List<String>> FOR_PLUGIN = new TreeMap<>(Map.of(
            "k8s_external", List.of("k8s-external", "k8s-external-apex"),
            "forward", List.of("ci-address", "ci-srv", "ci-fallthrough", "spec", "derived-fallthrough", "derived-fallthrough-unsynced"),
            "file", List.of("ci-fallthrough", "ci-fallthrough-filtered", "ci-autopath"),
            "autopath", List.of("autopath", "autopath-no-answer", "acl-autopath", "ci-autopath"),
            "transfer", List.of("axfr", "axfr-multicluster", "axfr-dual-stack-ns")));

    private static final String ADDRESS = "needs a server that tells its loopback address, and none does";
    private static final String CHAIN = "needs a plugin that answers from the suite's next_handler";

    /** Cases that need a situation that cannot be had on this machine, whatever plugins there are. */
    static final Map<String, String> FOR_SITUATION = Map.ofEntries(
            Map.entry("kubernetes-serve/44", "needs an upstream whose answer over TCP is truncated"),
            Map.entry("k8s-external-apex/02", ADDRESS),
            Map.entry("k8s-external-apex/08", ADDRESS),
            Map.entry("autopath/01", CHAIN),
            Map.entry("autopath/02", CHAIN),
            Map.entry("autopath-no-answer/01", CHAIN));

    private Waiting() {}

    /** The same as {@link #FOR_PLUGIN}, found out from the Corefiles and the plugins that are here. */
    static Map<String, List<String>> found(List<Suite> suites) {
        List<String> here = PluginList.inOrder().stream().map(PluginSetup::name).toList();
        Map<String, List<String>> waiting = new TreeMap<>();
        for (Suite suite : suites) {
            suite.plugins().stream()
                    .filter(plugin -> !here.contains(plugin))
                    .forEach(plugin -> waiting.computeIfAbsent(plugin, _ -> new ArrayList<>()).add(suite.id()));
        }
        return waiting;
    }

    static boolean forPlugin(Suite suite) {
        return FOR_PLUGIN.values().stream().flatMap(List::stream).collect(Collectors.toSet()).contains(suite.id());
    }

    static boolean forSituation(Case one) {
        return FOR_SITUATION.containsKey(one.id());
    }
}
