package dev.cairn.plugin.cache;

import dev.cairn.chain.Route;
import dev.cairn.metrics.Counter;
import dev.cairn.metrics.CounterFamily;
import dev.cairn.metrics.GaugeFamily;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.RouteCounter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The counters of {@code cache}, with CoreDNS's names. */
final class CacheMetrics implements AnswerStore.EvictionListener {
    private static final String SUCCESS = "success";
    private static final String DENIAL = "denial";

    private final MetricRegistry registry;
    private final String zones;
    private final GaugeFamily entries;
    private final CounterFamily evictionFamily;
    private volatile @Nullable Counter successEvictions;
    private volatile @Nullable Counter denialEvictions;
    private MetricRegistry.@Nullable ScrapeHook hook;

    final RouteCounter requests;
    final RouteCounter misses;
    final RouteCounter prefetches;
    final RouteCounter servedStale;
    final RouteCounter successHits;
    final RouteCounter denialHits;

    CacheMetrics(MetricRegistry registry, String zones) {
        this.registry = registry;
        this.zones = zones;
        entries = registry.gauge("coredns_cache_entries", "The number of elements in the cache.", "server", "type", "zones", "view");
        evictionFamily = byType("evictions_total", "The count of cache evictions.");
        CounterFamily hits = byType("hits_total", "The count of cache hits.");
        successHits = new RouteCounter(route -> hits.with(route.server(), SUCCESS, zones, route.view()));
        denialHits = new RouteCounter(route -> hits.with(route.server(), DENIAL, zones, route.view()));
        requests = plain("requests_total", "The count of cache requests.");
        misses = plain("misses_total", "The count of cache misses. Deprecated, derive misses from cache hits/requests counters.");
        prefetches = plain("prefetch_total", "The number of times the cache has prefetched a cached item.");
        servedStale = plain("served_stale_total", "The number of requests served from stale cache entries.");
    }

    private CounterFamily byType(String name, String help) {
        return registry.counter("coredns_cache_" + name, help, "server", "type", "zones", "view");
    }

    private RouteCounter plain(String name, String help) {
        CounterFamily family = registry.counter("coredns_cache_" + name, help, "server", "zones", "view");
        return new RouteCounter(route -> family.with(route.server(), zones, route.view()));
    }

    /** @param routes those of the block; what belongs to no query is counted under the first */
    void start(List<Route> routes, AnswerStore store) {
        if (routes.isEmpty()) {
            return;
        }
        Route first = routes.getFirst();
        successEvictions = evictionFamily.with(first.server(), SUCCESS, zones, first.view());
        denialEvictions = evictionFamily.with(first.server(), DENIAL, zones, first.view());
        hook = registry.onScrape(() -> {
            for (Route route : routes) {
                entries.with(route.server(), SUCCESS, zones, route.view()).set((double) store.size(true));
                entries.with(route.server(), DENIAL, zones, route.view()).set((double) store.size(false));
            }
        });
    }

    /** @param routes those {@link #start} was given */
    void stop(List<Route> routes) {
        if (hook != null) {
            hook.close();
            hook = null;
            for (Route route : routes) {
                // The hook of a configuration that goes on with the same labels puts them back.
                entries.remove(route.server(), SUCCESS, zones, route.view());
                entries.remove(route.server(), DENIAL, zones, route.view());
            }
        }
    }

    @Override
    public void evicted(boolean success) {
        Counter counter = success ? successEvictions : denialEvictions;
        if (counter != null) {
            counter.increment();
        }
    }
}
