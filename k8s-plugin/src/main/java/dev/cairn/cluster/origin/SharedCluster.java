package dev.cairn.cluster.origin;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.api.ApiObserver;
import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import java.io.IOException;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that is watched once for both who serves names and who serves traffic. Who serves names asks first; the source starts when both listen, and ends
 * when both have closed what they have of it. What one of them does with a fact is no matter of the other: each is told whatever happens to the other.
 */
public final class SharedCluster {
    private final ClusterOrigin origin;
    private final String node;
    private @Nullable ClusterSource source;
    private @Nullable Part names;
    private @Nullable Part traffic;

    /** Makes a cluster that nobody watches yet; {@code node} is the one whose traffic is served. */
    public SharedCluster(ClusterOrigin origin, String node) {
        this.origin = origin;
        this.node = node;
    }

    /**
     * A source for who serves names, if it can be the shared one. It can be while the traffic's is not taken, once, and without a choice of objects.
     *
     * @param wanted the cluster that is meant
     * @param open opens a source of a cluster
     * @return null if it has to be another source
     */
    public synchronized @Nullable ClusterSource names(
            ClusterOrigin wanted, WatchScope scope, BiFunction<ClusterOrigin, WatchScope, ClusterSource> open) {
        ClusterOrigin both = origin.and(wanted);
        if (both == null || names != null || traffic != null || !scope.isWhole()) {
            return null;
        }
        source = open.apply(both, scope.withTraffic(node));
        names = new Part(false);
        return names;
    }

    /** The cluster that who serves names has to watch by itself if not the shared one: this one if they do not say which. */
    public ClusterOrigin meant(ClusterOrigin wanted) {
        ClusterOrigin both = origin.and(wanted);
        return both == null ? wanted : both;
    }

    /** The source for who serves traffic: shared if somebody serves names of it. */
    public synchronized ClusterSource traffic() {
        if (traffic != null) {
            throw new IllegalStateException("traffic is served once");
        }
        if (source == null) {
            source = origin.open(WatchScope.traffic(node), ApiObserver.NONE);
        }
        traffic = new Part(true);
        return traffic;
    }

    private synchronized void startIfComplete() {
        if (source != null && traffic != null && traffic.isStarted() && (names == null || names.isStarted())) {
            source.start(new Both(Stream.of(names, traffic).flatMap(Stream::ofNullable).toList()));
        }
    }

    private void closeIfUnused() {
        ClusterSource unused;
        synchronized (this) {
            boolean used = (names != null && !names.isClosed()) || (traffic != null && !traffic.isClosed());
            unused = used ? null : source;
        }
        if (unused != null) {
            unused.close();   // without the lock: it waits for its threads
        }
    }

    private synchronized @Nullable ClusterSource source() {
        return source;
    }

    /** Tells each part, in turn. */
    private record Both(List<Part> parts) implements ClusterListener {
        @Override
        public void put(Fact fact) {
            each(part -> part.put(fact));
        }

        @Override
        public void remove(Resource resource, String namespace, String name) {
            each(part -> part.remove(resource, namespace, name));
        }

        @Override
        public void synced(Resource resource) {
            each(part -> part.tell(listener -> listener.synced(resource)));
        }

        private void each(Consumer<Part> call) {
            try {
                call.accept(parts.getFirst());
            } finally {
                if (parts.size() > 1) {
                    call.accept(parts.getLast());
                }
            }
        }
    }

    /** What one of the two has of the source. */
    private final class Part implements ClusterSource {
        private final boolean onlyTraffic;
        private @Nullable ClusterListener listener;
        private boolean started;
        private boolean closed;

        Part(boolean onlyTraffic) {
            this.onlyTraffic = onlyTraffic;
        }

        @Override
        public void start(ClusterListener to) {
            synchronized (this) {
                if (started) {
                    throw new IllegalStateException("a source is started once");
                }
                listener = to;
                started = true;
            }
            startIfComplete();
        }

        synchronized boolean isStarted() {
            return started;
        }

        synchronized boolean isClosed() {
            return closed;
        }

        /** Of services that are another proxy's, and of imported endpoints, traffic knows nothing. */
        void put(Fact fact) {
            if (onlyTraffic && fact instanceof ServiceFact service && service.traffic() == null) {
                remove(Resource.SERVICES, service.namespace(), service.name());
            } else if (!onlyTraffic || !(fact instanceof SliceFact slice && slice.isImported())) {
                tell(to -> to.put(fact));
            }
        }

        void remove(Resource resource, String namespace, String name) {
            tell(to -> to.remove(resource, namespace, name));
        }

        synchronized void tell(Consumer<ClusterListener> call) {
            if (listener != null) {
                call.accept(listener);
            }
        }

        @Override
        public String place() {
            ClusterSource from = source();
            return from == null ? "nowhere" : from.place();
        }

        @Override
        public boolean create(String collection, String json) throws IOException {
            ClusterSource to = source();
            return to != null && to.create(collection, json);
        }

        @Override
        public void close() {
            synchronized (this) {
                listener = null;
                closed = true;
            }
            closeIfUnused();
        }
    }
}
