package dev.cairn.proxy;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Resource;
import dev.cairn.log.Log;
import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.PacketWalk;
import dev.cairn.proxy.sync.Backend;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The cluster as it is at one moment, planned. */
final class Snapshot {
    private static final long PATIENCE_SECONDS = 30;

    private final Backend.Desired desired;
    private final String origin;

    private Snapshot(Backend.Desired desired, String origin) {
        this.desired = desired;
        this.origin = origin;
    }

    /** Waits until the cluster is known, and plans it. */
    static Snapshot take(ProxyFlags flags, ProxyConfig settings) {
        NodeView node = flags.node(settings);
        Gathering gathering = new Gathering(new ClusterModel(node, Log.server()::warning));
        String origin;
        try (ClusterSource source = flags.source(settings, node.name())) {
            source.start(gathering);
            if (!gathering.complete.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new CommandFailure(CairnProxy.FAILURE, "the cluster did not tell its services within " + PATIENCE_SECONDS
                        + " s: is the API server reachable, and may this account list services, endpointslices and nodes?");
            }
            origin = source.place();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(CairnProxy.FAILURE, "interrupted");
        }
        ClusterModel model = gathering.model;
        model.replan();
        return new Snapshot(new Backend.Desired(
                model.plans(), model.node(), settings.traffic(model.node()).withServiceRanges(model.serviceRanges())), origin);
    }

    Backend.Desired desired() {
        return desired;
    }

    /** Where it was read from. */
    String origin() {
        return origin;
    }

    PacketWalk walk() {
        return new PacketWalk(desired.plans().values(), desired.node(), desired.options());
    }

    private static final class Gathering implements ClusterListener {
        private final ClusterModel model;
        private final Set<Resource> missing = EnumSet.of(Resource.SERVICES, Resource.SLICES, Resource.NODES);
        private final CountDownLatch complete = new CountDownLatch(1);

        Gathering(ClusterModel model) {
            this.model = model;
        }

        @Override
        public void put(Fact fact) {
            model.put(fact);
        }

        @Override
        public void remove(Resource resource, String namespace, String name) {
            model.remove(resource, namespace, name);
        }

        @Override
        public void synced(Resource resource) {
            missing.remove(resource);
            if (missing.isEmpty()) {
                complete.countDown();
            }
        }
    }
}
