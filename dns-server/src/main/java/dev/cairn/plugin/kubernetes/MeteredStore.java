package dev.cairn.plugin.kubernetes;

import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.metrics.Histogram;
import dev.cairn.metrics.HistogramFamily;
import dev.cairn.zone.ClusterStore;
import java.util.function.LongSupplier;

/** Hands facts on to a store and measures how long it took from a change of endpoints to new answers. */
final class MeteredStore implements ClusterListener {
    private final ClusterStore store;
    private final LongSupplier clockMillis;
    private final Histogram clusterIp;
    private final Histogram headless;

    MeteredStore(ClusterStore store, HistogramFamily latency, LongSupplier clockMillis) {
        this.store = store;
        this.clockMillis = clockMillis;
        this.clusterIp = latency.with("cluster_ip");
        this.headless = latency.with("headless_with_selector");
    }

    @Override
    public void put(Fact fact) {
        store.put(fact);
        // What was there before the first sync was not programmed by us.
        if (fact instanceof SliceFact slice && slice.triggerMillis() > 0 && store.isSynced()) {
            ServiceFact.Kind kind = store.kindOf(slice.namespace(), slice.service());
            if (kind != null && kind != ServiceFact.Kind.EXTERNAL_NAME) {
                long nanos = (clockMillis.getAsLong() - slice.triggerMillis()) * 1_000_000;
                (kind == ServiceFact.Kind.HEADLESS ? headless : clusterIp).record(nanos);
            }
        }
    }

    @Override
    public void remove(Resource resource, String namespace, String name) {
        store.remove(resource, namespace, name);
    }

    @Override
    public void synced(Resource resource) {
        store.synced(resource);
    }
}
