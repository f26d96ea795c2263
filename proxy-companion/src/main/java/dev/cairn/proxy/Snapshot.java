package dev.cairn.proxy;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.api.ApiSource;
import dev.cairn.cluster.api.WatchState;
import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Resource;
import dev.cairn.log.Log;
import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.config.ProxyMode;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.PacketWalk;
import dev.cairn.proxy.sync.Backend;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The cluster as it is at one moment, planned. */
final class Snapshot {
    private static final long PATIENCE_SECONDS = 30;
    private static final long LOOK_MILLIS = 20;
    private static final Set<Resource> RANGES = EnumSet.of(Resource.SERVICE_RANGES);

    private final Backend.Desired desired;
    private final String origin;
    private final ClusterModel model;

    private Snapshot(ClusterModel model, Backend.Desired desired, String origin) {
        this.model = model;
        this.desired = desired;
        this.origin = origin;
    }

    /** Waits until the cluster is known, and plans it. */
    static Snapshot take(ProxyFlags flags, ProxyConfig settings) {
        NodeView node = flags.node(settings);
        Gathering gathering = new Gathering(new ClusterModel(node, settings.bindAddress(), Log.server()::warning));
        String origin;
        try (ClusterSource source = flags.source(settings, node.name())) {
            source.start(gathering);
            if (!gathering.await(() -> hasTrouble(source, Resource.SERVICE_RANGES))) {
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
        return new Snapshot(model, new Backend.Desired(
                model.plans(), model.node(), settings.traffic(model.node()).withServiceRanges(model.serviceRanges())), origin);
    }

    /** Whether a kind of objects cannot be had from an API server: an older one may not have it, or not let this account list it. */
    private static boolean hasTrouble(ClusterSource source, Resource resource) {
        @Nullable WatchState state = source instanceof ApiSource api ? api.states().get(resource) : null;
        return state != null && !state.trouble().isEmpty();
    }

    Backend.Desired desired() {
        return desired;
    }

    /** Where it was read from. */
    String origin() {
        return origin;
    }

    PacketWalk walk(ProxyMode mode) {
        return new PacketWalk(desired.plans().values(), desired.node(), desired.options(), Backends.carrier(mode), model::states);
    }

    private static final class Gathering implements ClusterListener {
        private final ClusterModel model;
        private final Set<Resource> missing = EnumSet.of(Resource.SERVICES, Resource.SLICES, Resource.NODES, Resource.SERVICE_RANGES);

        Gathering(ClusterModel model) {
            this.model = model;
        }

        /** Waits until all is known, if need be without the ranges of addresses; false if it took too long. */
        synchronized boolean await(BooleanSupplier withoutRanges) throws InterruptedException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (!missing.isEmpty() && !(missing.equals(RANGES) && withoutRanges.getAsBoolean())) {
                if (System.nanoTime() >= end) {
                    return missing.equals(RANGES);
                }
                wait(LOOK_MILLIS);   // trouble is not told, but has to be asked for
            }
            return true;
        }

        @Override
        public synchronized void put(Fact fact) {
            model.put(fact);
        }

        @Override
        public synchronized void remove(Resource resource, String namespace, String name) {
            model.remove(resource, namespace, name);
        }

        @Override
        public synchronized void synced(Resource resource) {
            missing.remove(resource);
            notifyAll();
        }
    }
}
