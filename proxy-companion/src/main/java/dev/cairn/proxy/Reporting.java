package dev.cairn.proxy;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.Resource;
import dev.cairn.proxy.conntrack.FlowCleaner;
import dev.cairn.proxy.health.HealthServers;
import dev.cairn.proxy.health.NodeHealth;
import dev.cairn.proxy.health.SyncMetrics;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.Audit;
import dev.cairn.proxy.sync.SyncObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Passes on how the loop is doing to those who are asked for it, and has the connection tracker follow what is programmed. */
final class Reporting implements SyncObserver {
    private final NodeHealth health;
    private final SyncMetrics metrics;
    private final HealthServers servers;
    private final SyncLog log;
    private final Events events;
    private final Runnable settled;
    private boolean isSettled;
    private final FlowCleaner flows;
    private final Function<NodeView, TrafficOptions> options;

    /** Makes one that calls {@code settled} once, when all is in the kernel for the first time. */
    Reporting(NodeHealth health, SyncMetrics metrics, HealthServers servers, FlowCleaner flows, SyncLog log, Events events,
            Runnable settled, Function<NodeView, TrafficOptions> options) {
        this.health = health;
        this.metrics = metrics;
        this.servers = servers;
        this.flows = flows;
        this.log = log;
        this.events = events;
        this.settled = settled;
        this.options = options;
    }

    @Override
    public void queued(Resource resource) {
        health.queued();
        metrics.queued(resource);
    }

    @Override
    public void applied(Applied applied, ClusterModel model) {
        metrics.applied(applied, model.plans().values());
        log.applied(applied, model.plans().values(), model.serviceRanges());
        health.leaving(model.isLeaving());
        if (!applied.success()) {
            return;
        }
        if (applied.complete()) {
            health.updated();
        }
        if (!isSettled) {
            isSettled = true;
            settled.run();
        }
        long begun = System.nanoTime();
        int deleted = flows.follow(applied.changed(), model.plans());
        metrics.cleaned(deleted, System.nanoTime() - begun);
        servers.update(model.plans().values(), addresses(model.node()));
    }

    @Override
    public void audited(Audit audit) {
        metrics.audited(audit.drift().size(), audit.foreign().size());
        if (log.audited(audit) != null) {
            events.warn("RulesChanged", "RepairRules", "somebody else changed " + audit.drift().size() + " of the rules of this node: "
                    + audit.drift().getFirst());
        }
    }

    @Override
    public void auditFailed() {
        metrics.auditFailed();
    }

    /** Where node ports are found; null for everywhere. */
    private @Nullable List<Address> addresses(NodeView node) {
        List<Address> all = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            List<Address> some = options.apply(node).nodePortAddresses().of(family, node);
            if (some == null) {
                return null;
            }
            all.addAll(some);
        }
        return all;
    }
}
