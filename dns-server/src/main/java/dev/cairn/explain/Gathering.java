package dev.cairn.explain;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.api.ApiSource;
import dev.cairn.cluster.api.WatchState;
import dev.cairn.facts.Resource;
import dev.cairn.plugin.kubernetes.KubernetesPlugin;
import dev.cairn.plugin.kubernetes.KubernetesSettings.PodMode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Waits until the cluster is known. */
final class Gathering {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SAY_SO = Duration.ofSeconds(3);
    private static final long LOOK_NANOS = 20_000_000;

    private Gathering() {}

    /**
     * The facts of a server's cluster, once the server knows them, too.
     *
     * @param pods whether pods are wanted; if they may not be read, it goes without them
     * @param progress is told if it takes long
     */
    static ClusterFacts of(OfflineServer server, KubernetesPlugin plugin, boolean pods, Consumer<String> progress) throws ExplainFailure {
        ClusterFacts facts = new ClusterFacts();
        boolean imports = !plugin.settings().imported().isEmpty();
        boolean needPods = plugin.settings().pods() == PodMode.VERIFIED;
        Set<Resource> wanted = EnumSet.of(Resource.NAMESPACES, Resource.SERVICES, Resource.SLICES);
        if (imports) {
            wanted.add(Resource.IMPORTS);
        }
        if (pods || needPods) {
            wanted.add(Resource.PODS);
        }
        try (ClusterSource source = plugin.source(WatchScope.everything(pods || needPods, imports))) {
            source.start(facts);
            await(server, source, facts, wanted, needPods, progress);
        }
        return facts;
    }

    private static void await(
            OfflineServer server, ClusterSource source, ClusterFacts facts, Set<Resource> wanted, boolean needPods, Consumer<String> say)
            throws ExplainFailure {
        long begun = System.nanoTime();
        boolean said = false;
        while (true) {
            Map<Resource, WatchState> states = source instanceof ApiSource api ? api.states() : Map.of();
            states.forEach((resource, state) -> {
                if (resource == Resource.PODS && !needPods && !state.trouble().isEmpty() && wanted.remove(resource)) {
                    say.accept("pods are not known: " + sentence(state));
                }
            });
            for (Map.Entry<Resource, WatchState> state : states.entrySet()) {
                if (wanted.contains(state.getKey()) && !state.getValue().trouble().isEmpty()) {
                    throw new ExplainFailure(sentence(state.getValue()));
                }
            }
            if (wanted.stream().allMatch(facts::knows) && server.isReady()) {
                return;
            }
            Duration waited = Duration.ofNanos(System.nanoTime() - begun);
            String of = source instanceof ApiSource api ? "API server " + api.server() : "the manifests";
            if (waited.compareTo(PATIENCE) > 0) {
                throw new ExplainFailure(of + " did not tell " + missing(wanted, facts) + " within " + PATIENCE.toSeconds() + " s");
            }
            if (!said && waited.compareTo(SAY_SO) > 0) {
                said = true;
                say.accept("waiting for " + missing(wanted, facts) + " of " + of + " ...");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** The sentence is made for a server that goes on. */
    private static String sentence(WatchState state) {
        return state.trouble().replaceAll("; (serving what is known|they are read again)$", "");
    }

    private static String missing(Set<Resource> wanted, ClusterFacts facts) {
        Set<Resource> missing = EnumSet.copyOf(wanted);
        missing.removeIf(facts::knows);
        String names = missing.stream().map(one -> one.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(", "));
        return names.isEmpty() ? "all" : names;
    }
}
