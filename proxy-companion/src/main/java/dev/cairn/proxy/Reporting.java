package dev.cairn.proxy;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.proxy.conntrack.FlowCleaner;
import dev.cairn.proxy.health.HealthServers;
import dev.cairn.proxy.health.NodeHealth;
import dev.cairn.proxy.health.SyncMetrics;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.SyncObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Passes on how the loop is doing to those who are asked for it, and has the connection tracker follow what is programmed. */
final class Reporting implements SyncObserver {
    private final NodeHealth health;
    private final SyncMetrics metrics;
    private final HealthServers servers;
    private final TakeOver takeOver;
    private final FlowCleaner flows;
    private final Function<NodeView, TrafficOptions> options;

    Reporting(
            NodeHealth health,
            SyncMetrics metrics,
            HealthServers servers,
            FlowCleaner flows,
            TakeOver takeOver,
            Function<NodeView, TrafficOptions> options) {
        this.health = health;
        this.metrics = metrics;
        this.servers = servers;
        this.flows = flows;
        this.takeOver = takeOver;
        this.options = options;
    }

    @Override
    public void queued() {
        health.queued();
        metrics.queued();
    }

    @Override
    public void applied(boolean success, long nanos, ClusterModel model, Set<ServiceName> changed) {
        metrics.applied(success, nanos, model.plans().values());
        health.leaving(model.isLeaving());
        if (success) {
            health.updated();
            takeOver.once();
            flows.clean(changed.stream().filter(model.plans()::containsKey).map(model.plans()::get).toList());
            servers.update(model.plans().values(), addresses(model.node()));
        }
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
