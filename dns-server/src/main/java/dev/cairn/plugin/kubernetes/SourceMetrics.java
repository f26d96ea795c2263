package dev.cairn.plugin.kubernetes;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.api.ApiObserver;
import dev.cairn.cluster.api.ApiSource;
import dev.cairn.cluster.api.WatchState;
import dev.cairn.cluster.origin.ClusterOrigin;
import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Resource;
import dev.cairn.metrics.CounterFamily;
import dev.cairn.metrics.GaugeFamily;
import dev.cairn.metrics.HistogramFamily;
import dev.cairn.metrics.HistogramUnit;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.zone.ClusterStore;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Makes sources with their metrics: CoreDNS's for requests and latency, and our own for how fresh what is known is. One per process. */
final class SourceMetrics {
    private static final String PREFIX = "coredns_kubernetes_";

    /** The default buckets of the Go client library, which CoreDNS leaves as they are here. */
    private static final double[] USUAL_BOUNDS = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

    private final HistogramFamily programming;
    private final HistogramFamily duration;
    private final HistogramFamily limiter;
    private final CounterFamily requests;
    private final GaugeFamily silence;
    private final GaugeFamily synced;
    private final CounterFamily events;
    private final CounterFamily relists;
    private final CounterFamily bad;
    private final List<Metered> sources = new CopyOnWriteArrayList<>();

    SourceMetrics(MetricRegistry metrics) {
        programming = metrics.histogram(PREFIX + "dns_programming_duration_seconds",
                "Histogram of the time (in seconds) it took to program a dns instance.", doubling(0.001, 20), HistogramUnit.NANOS, "service_kind");
        duration = metrics.histogram(PREFIX + "rest_client_request_duration_seconds",
                "Request latency in seconds. Broken down by verb and host.", USUAL_BOUNDS, HistogramUnit.NANOS, "verb", "host");
        limiter = metrics.histogram(PREFIX + "rest_client_rate_limiter_duration_seconds",
                "Client side rate limiter latency in seconds. Broken down by verb and host.", USUAL_BOUNDS, HistogramUnit.NANOS, "verb", "host");
        requests = metrics.counter(PREFIX + "rest_client_requests_total",
                "Number of HTTP requests, partitioned by status code, method, and host.", "code", "method", "host");
        silence = metrics.gauge("cairn_kubernetes_silence_seconds", "Seconds since the API server last sent anything of this kind.", "resource");
        synced = metrics.gauge("cairn_kubernetes_synced", "Whether all objects of this kind have been read once.", "resource");
        events = metrics.counter("cairn_kubernetes_events_total", "Changes of this kind that watches brought.", "resource");
        relists = metrics.counter("cairn_kubernetes_relists_total", "How often this kind was listed again.", "resource");
        bad = metrics.counter("cairn_kubernetes_bad_objects_total",
                "How often an object of this kind, or a part of one, was left out because it is wrong.", "resource");
        metrics.onScrape(this::tell);
    }

    /** Of several clusters the worst is told: the longest silence, and what is not known of one of them. */
    private void tell() {
        silence.clear();
        synced.clear();
        Map<Resource, Double> longest = new EnumMap<>(Resource.class);
        Map<Resource, Boolean> all = new EnumMap<>(Resource.class);
        for (Metered source : sources) {
            source.tell().forEach((resource, state) -> {
                longest.merge(resource, state.secondsSinceLastWord(), Math::max);
                all.merge(resource, state.synced(), Boolean::logicalAnd);
            });
        }
        longest.forEach((resource, seconds) -> silence.with(label(resource)).set(seconds));
        all.forEach((resource, known) -> synced.with(label(resource)).set(known ? 1 : 0));
    }

    private static String label(Resource resource) {
        return resource.name().toLowerCase(Locale.ROOT);
    }

    private static double[] doubling(double first, int count) {
        double[] bounds = new double[count];
        for (int i = 0; i < count; i++) {
            bounds[i] = first * (1 << i);
        }
        return bounds;
    }

    ClusterSource open(ClusterOrigin origin, WatchScope scope) {
        ClusterSource source = origin.open(scope, new Observer());
        return source instanceof ApiSource api ? new Metered(api) : source;
    }

    /** What a source tells goes through here to the store, so that its latency is known. */
    ClusterListener metered(ClusterStore store) {
        return new MeteredStore(store, programming, System::currentTimeMillis);
    }

    /** A source whose states are told with each scrape until it is closed. */
    private final class Metered implements ClusterSource {
        private static final WatchState NOTHING = new WatchState(false, false, 0, 0, 0, 0, "");

        private final ApiSource source;
        private final Map<Resource, WatchState> told = new EnumMap<>(Resource.class);

        Metered(ApiSource source) {
            this.source = source;
            sources.add(this);
        }

        /** Counters outlive the source, and several sources may count the same kind, so only what is new is added. */
        private synchronized Map<Resource, WatchState> tell() {
            Map<Resource, WatchState> states = source.states();
            states.forEach((resource, state) -> {
                WatchState before = told.getOrDefault(resource, NOTHING);
                told.put(resource, state);
                events.with(label(resource)).add(state.events() - before.events());
                relists.with(label(resource)).add(state.relists() - before.relists());
                bad.with(label(resource)).add(state.complaints() - before.complaints());
            });
            return states;
        }

        @Override
        public void start(ClusterListener listener) {
            source.start(listener);
        }

        @Override
        public String place() {
            return source.place();
        }

        @Override
        public boolean create(String collection, String json) throws IOException {
            return source.create(collection, json);
        }

        @Override
        public void close() {
            sources.remove(this);
            source.close();
            tell();
        }
    }

    /** Counts requests under the names of client-go. */
    private final class Observer implements ApiObserver {
        @Override
        public void took(String verb, String host, long nanos) {
            duration.with(verb, host).record(nanos);
        }

        @Override
        public void waited(String verb, String host, long nanos) {
            limiter.with(verb, host).record(nanos);
        }

        @Override
        public void answered(String code, String method, String host) {
            requests.with(code, method, host).increment();
        }
    }
}
