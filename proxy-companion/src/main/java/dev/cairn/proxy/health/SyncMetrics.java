package dev.cairn.proxy.health;

import dev.cairn.facts.Resource;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.metrics.ProcessMetrics;
import dev.cairn.proxy.config.ProxyMode;
import dev.cairn.proxy.plan.PortPlan;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.sync.SyncObserver;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Counts what the sync loop does, under kube-proxy's names and some of our own. Any thread may tell and ask. */
public final class SyncMetrics {
    private static final double SECOND = 1e9;
    private static final String SYNC = "kubeproxy_sync_proxy_rules_";

    private final InstantSource clock;
    private final ProxyMode mode;
    /** How many connections services have had, where they are counted. */
    private final Supplier<Map<ServiceName, Long>> connections;
    private final Histogram all = new Histogram(SYNC + "duration_seconds", "Time of a sync of rules.", Histogram.doubling());
    private final Histogram full = new Histogram(
            "kubeproxy_sync_full_proxy_rules_duration_seconds", "Time of a sync that looked at all rules.", Histogram.doubling());
    private final Histogram partial = new Histogram(
            "kubeproxy_sync_partial_proxy_rules_duration_seconds", "Time of a sync of what changed.", Histogram.doubling());
    private final Histogram network = new Histogram("kubeproxy_network_programming_duration_seconds",
            "Time from a change of endpoints in the cluster until it was programmed.", Histogram.network());
    private final Histogram reconciling = new Histogram("kubeproxy_conntrack_reconciler_sync_duration_seconds",
            "Time of removing flows from the connection tracker.", Histogram.doubling());
    private final Map<Integer, Long> healthz = new TreeMap<>();
    private final Map<Integer, Long> livez = new TreeMap<>();
    private volatile Supplier<String> others = () -> "";
    private long failures;
    private long partialFailures;
    private long serviceChanges;
    private long endpointChanges;
    private long servicesPending;
    private long endpointsPending;
    private long flowsDeleted;
    private long audits;
    private long auditFailures;
    private long repairs;
    private int drift;
    private int foreign;
    private double lastQueued;
    private double lastApplied;
    private int services;
    private long endpoints;
    private long withoutLocalInside;
    private long withoutLocalOutside;

    public SyncMetrics(InstantSource clock, ProxyMode mode, Supplier<Map<ServiceName, Long>> connections) {
        this.clock = clock;
        this.mode = mode;
        this.connections = connections;
    }

    /** Has what somebody else counts told, too. */
    public void add(Supplier<String> text) {
        others = text;
    }

    private double now() {
        return clock.instant().toEpochMilli() / 1e3;
    }

    public synchronized void queued(Resource resource) {
        if (resource == Resource.SERVICES) {
            serviceChanges++;
            servicesPending++;
        } else if (resource == Resource.SLICES) {
            endpointChanges++;
            endpointsPending++;
        }
        lastQueued = now();
    }

    public synchronized void applied(SyncObserver.Applied applied, Collection<ServicePlan> plans) {
        if (!applied.success()) {
            failures++;
            partialFailures += applied.full() ? 0 : 1;
            return;
        }
        all.add(applied.nanos() / SECOND);
        (applied.full() ? full : partial).add(applied.nanos() / SECOND);
        lastApplied = now();
        applied.triggers().forEach(trigger -> network.add(Math.max(0, clock.instant().toEpochMilli() - trigger) / 1e3));
        if (applied.complete()) {
            servicesPending = 0;
            endpointsPending = 0;
        }
        count(plans);
    }

    private void count(Collection<ServicePlan> plans) {
        services = plans.size();
        endpoints = 0;
        withoutLocalInside = 0;
        withoutLocalOutside = 0;
        for (ServicePlan plan : plans) {
            for (PortPlan port : plan.ports()) {
                endpoints += port.sets().cluster().size();
                boolean none = port.sets().local().isEmpty() && port.sets().any();
                withoutLocalInside += port.internalLocal() && none ? 1 : 0;
                withoutLocalOutside += port.externalLocal() && none ? 1 : 0;
            }
        }
    }

    /** Flows were removed from the connection tracker. */
    public synchronized void cleaned(int deleted, long nanos) {
        flowsDeleted += deleted;
        reconciling.add(nanos / SECOND);
    }

    /** The kernel was compared with what shall be. */
    public synchronized void audited(int drifted, int foreigners) {
        audits++;
        repairs += drifted > 0 ? 1 : 0;
        drift = drifted;
        foreign = foreigners;
    }

    /** The kernel could not be compared with what shall be. */
    public synchronized void auditFailed() {
        auditFailures++;
    }

    /** Somebody asked for the health of the node. */
    synchronized void asked(boolean live, int code) {
        (live ? livez : healthz).merge(code, 1L, Long::sum);
    }

    /** All of them in the text form of Prometheus. What has to be asked of the kernel may take long, and nobody else waits for it. */
    public String text() {
        StringBuilder text = new StringBuilder(known()).append(others.get());
        Map<ServiceName, Long> counted = connections.get();
        if (!counted.isEmpty()) {
            head(text, "cairn_proxy_service_connections_total", "counter", "Connections to a service.");
            counted.forEach((service, count) -> text.append("cairn_proxy_service_connections_total{namespace=\"").append(service.namespace())
                    .append("\",service=\"").append(service.name()).append("\"} ").append(count).append('\n'));
        }
        return text.append(OfProcess.METRICS.scrape()).toString();
    }

    /** What all processes tell; made when somebody asks. */
    private static final class OfProcess {
        private static final MetricRegistry METRICS = new MetricRegistry();

        static {
            ProcessMetrics.register(METRICS);
        }
    }

    private synchronized String known() {
        StringBuilder text = new StringBuilder();
        all.print(text);
        full.print(text);
        partial.print(text);
        network.print(text);
        one(text, SYNC + "last_timestamp_seconds", "gauge", "When rules were last synced.", lastApplied);
        one(text, SYNC + "last_queued_timestamp_seconds", "gauge", "When a sync of rules was last queued.", lastQueued);
        one(text, SYNC + "service_changes_total", "counter", "Changes of services.", serviceChanges);
        one(text, SYNC + "service_changes_pending", "gauge", "Changes of services that are not programmed yet.", servicesPending);
        one(text, SYNC + "endpoint_changes_total", "counter", "Changes of endpoint slices.", endpointChanges);
        one(text, SYNC + "endpoint_changes_pending", "gauge", "Changes of endpoint slices that are not programmed yet.", endpointsPending);
        if (mode == ProxyMode.NFTABLES) {
            one(text, SYNC + "nftables_sync_failures_total", "counter", "Syncs of nftables that failed.", failures);
        } else if (mode == ProxyMode.IPTABLES) {
            one(text, SYNC + "iptables_restore_failures_total", "counter", "Syncs of iptables that failed.", failures);
            one(text, SYNC + "iptables_partial_restore_failures_total", "counter", "Syncs of iptables that failed, of what changed alone.",
                    partialFailures);
        }
        labelled(text, SYNC + "no_local_endpoints_total", "gauge", "Ports with a Local policy and no endpoint here.", "traffic_policy",
                Map.of("internal", withoutLocalInside, "external", withoutLocalOutside));
        labelled(text, "kubeproxy_proxy_healthz_total", "counter", "Answers of /healthz.", "code", healthz);
        labelled(text, "kubeproxy_proxy_livez_total", "counter", "Answers of /livez.", "code", livez);
        reconciling.print(text);
        one(text, "kubeproxy_conntrack_reconciler_deleted_entries_total", "counter", "Flows removed from the connection tracker.", flowsDeleted);
        one(text, "cairn_proxy_sync_failures_total", "counter", "Syncs that failed, in whatever mode.", failures);
        one(text, "cairn_proxy_audits_total", "counter", "Comparisons of the kernel with what should be programmed.", audits);
        one(text, "cairn_proxy_audit_failures_total", "counter", "Comparisons that failed, since the kernel could not be read.", auditFailures);
        one(text, "cairn_proxy_repairs_total", "counter", "Comparisons after which something was repaired.", repairs);
        one(text, "cairn_proxy_drift", "gauge", "Differences that the last comparison found.", drift);
        one(text, "cairn_proxy_foreign_objects", "gauge", "Things of others in our tables at the last comparison.", foreign);
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

    private static void labelled(StringBuilder text, String name, String type, String help, String label, Map<?, Long> values) {
        head(text, name, type, help);
        new TreeMap<>(values).forEach((key, value) ->
                text.append(name).append('{').append(label).append("=\"").append(key).append("\"} ").append(value).append('\n'));
    }
}
