package dev.cairn.plugin.kubernetes;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.facts.ClusterListener;
import dev.cairn.zone.ClusterStore;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** The clusters that are watched, each once, however many blocks and configurations use it. A source ends with its last user. */
final class ClusterStores {
    private final Map<Object, Shared> byOrigin = new HashMap<>();

    private static final class Shared {
        private final ClusterStore store;
        private final ClusterSource source;
        private int users;

        Shared(ClusterStore store, ClusterSource source) {
            this.store = store;
            this.source = source;
        }
    }

    /** The use of a store; ended by {@link #close}. */
    final class Lease implements AutoCloseable {
        private final Object origin;
        private final ClusterStore store;
        private boolean open = true;

        private Lease(Object origin, ClusterStore store) {
            this.origin = origin;
            this.store = store;
        }

        ClusterStore store() {
            return store;
        }

        @Override
        public void close() {
            if (open) {
                open = false;
                release(origin);
            }
        }
    }

    /**
     * Begins to use the store of what {@code origin} describes; the first user starts its source.
     *
     * @param origin equal for equal sources and scopes
     * @param listener what the source tells, on the way to the store
     */
    synchronized Lease acquire(
            Object origin,
            Supplier<ClusterStore> store,
            Supplier<ClusterSource> source,
            BiFunction<ClusterStore, ClusterSource, ClusterListener> listener) {
        Shared shared = byOrigin.get(origin);
        if (shared == null) {
            shared = new Shared(store.get(), source.get());
            byOrigin.put(origin, shared);
            shared.source.start(listener.apply(shared.store, shared.source));
        }
        shared.users++;
        return new Lease(origin, shared.store);
    }

    private synchronized void release(Object origin) {
        Shared shared = byOrigin.get(origin);
        if (shared != null && --shared.users == 0) {
            byOrigin.remove(origin);
            shared.source.close();
        }
    }
}
