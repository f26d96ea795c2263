package dev.cairn.proxy.health;

import dev.cairn.proxy.plan.PortPlan;
import dev.cairn.proxy.plan.ServicePlan;
import java.time.InstantSource;
import java.util.Collection;

/** Counts what the sync loop does, under kube-proxy's names. Any thread may tell and ask. */
public final class SyncMetrics {
    /** kube-proxy's: from a millisecond on, each twice the one before. */
    private static final int BUCKETS = 15;
    private static final double SECOND = 1e9;

    private final InstantSource clock;
    private final long[] buckets = new long[BUCKETS];
    private double seconds;
    private long count;
    private long failures;
    private long changes;
    private double lastQueued;
    private double lastApplied;
    private int services;
    private long endpoints;
    private long withoutLocal;

    public SyncMetrics(InstantSource clock) {
        this.clock = clock;
    }

    private double now() {
        return clock.instant().toEpochMilli() / 1e3;
    }

    public synchronized void queued() {
        changes++;
        lastQueued = now();
    }

    public synchronized void applied(boolean success, long nanos, Collection<ServicePlan> plans) {
        if (!success) {
            failures++;
            return;
        }
        count++;
        seconds += nanos / SECOND;
        lastApplied = now();
        for (int i = 0; i < BUCKETS; i++) {
            buckets[i] += nanos / SECOND <= limit(i) ? 1 : 0;
        }
        services = plans.size();
        endpoints = 0;
        withoutLocal = 0;
        for (ServicePlan plan : plans) {
            for (PortPlan port : plan.ports()) {
                endpoints += port.sets().cluster().size();
                withoutLocal += port.externalLocal() && port.sets().local().isEmpty() && port.sets().any() ? 1 : 0;
            }
        }
    }

    private static double limit(int bucket) {
        return 0.001 * (1 << bucket);
    }

    /** All of them in the text form of Prometheus. */
    public synchronized String text() {
        StringBuilder text = new StringBuilder();
        String duration = "kubeproxy_sync_proxy_rules_duration_seconds";
        head(text, duration, "histogram", "Time of a sync of rules.");
        for (int i = 0; i < BUCKETS; i++) {
            text.append(duration).append("_bucket{le=\"").append(limit(i)).append("\"} ").append(buckets[i]).append('\n');
        }
        text.append(duration).append("_bucket{le=\"+Inf\"} ").append(count).append('\n');
        text.append(duration).append("_sum ").append(seconds).append('\n').append(duration).append("_count ").append(count).append('\n');
        one(text, "kubeproxy_sync_proxy_rules_last_timestamp_seconds", "gauge", "When rules were last synced.", lastApplied);
        one(text, "kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds", "gauge", "When a sync of rules was last queued.", lastQueued);
        one(text, "kubeproxy_sync_proxy_rules_nftables_sync_failures_total", "counter", "Syncs of nftables that failed.", failures);
        one(text, "kubeproxy_sync_proxy_rules_no_local_endpoints_total", "gauge", "Ports with a Local policy and no endpoint here.", withoutLocal);
        one(text, "cairn_proxy_changes_total", "counter", "Changes that the cluster told.", changes);
        one(text, "cairn_proxy_services", "gauge", "Services that are programmed.", services);
        one(text, "cairn_proxy_endpoints", "gauge", "Endpoints of these services, by port.", endpoints);
        return text.toString();
    }

    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append("\n# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void one(StringBuilder text, String name, String type, String help, Number value) {
        head(text, name, type, help);
        text.append(name).append(' ').append(value).append('\n');
    }
}
