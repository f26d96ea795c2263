package dev.cairn.plugin.kubernetes;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.facts.ClusterListener;
import dev.cairn.wire.WireName;
import dev.cairn.zone.ClusterStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** The clusters that are watched, each once, however many blocks and configurations use it. A source ends with its last user. */
final class ClusterStores {
    private final Map<Object, Shared> byOrigin = new HashMap<>();

    private static final class Shared {
        private final ClusterStore store;
        private final ClusterSource source;
        private final List<Lease> leases = new ArrayList<>();

        Shared(ClusterStore store, ClusterSource source) {
            this.store = store;
            this.source = source;
        }
    }

    /** Who uses a store: a configuration, for the zone that it serves. */
    record User(Object configuration, WireName zone) {}

    /** The use of a store; ended by {@link #close}. */
    final class Lease implements AutoCloseable {
        private final Object origin;
        private final User user;
        private final ClusterStore store;

        private Lease(Object origin, User user, ClusterStore store) {
            this.origin = origin;
            this.user = user;
            this.store = store;
        }

        ClusterStore store() {
            return store;
        }

        /** Whether this store is yet to be read while another configuration serves the zone from one that is known. */
        boolean isBehindAnother() {
            return !store.isSynced() && anotherKnows(user);
        }

        @Override
        public void close() {
            release(this);
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
            User user,
            Supplier<ClusterStore> store,
            Supplier<ClusterSource> source,
            BiFunction<ClusterStore, ClusterSource, ClusterListener> listener) {
        Shared shared = byOrigin.get(origin);
        if (shared == null) {
            shared = new Shared(store.get(), source.get());
            byOrigin.put(origin, shared);
            shared.source.start(listener.apply(shared.store, shared.source));
        }
        Lease lease = new Lease(origin, user, shared.store);
        shared.leases.add(lease);
        return lease;
    }

    @SuppressWarnings("ReferenceEquality") // a configuration is another than the one before, also if it says the same
    private synchronized boolean anotherKnows(User user) {
        return byOrigin.values().stream()
                .filter(shared -> shared.store.isSynced())
                .flatMap(shared -> shared.leases.stream())
                .anyMatch(lease -> lease.user.zone().equals(user.zone()) && lease.user.configuration() != user.configuration());
    }

    private synchronized void release(Lease lease) {
        Shared shared = byOrigin.get(lease.origin);
        if (shared != null && shared.leases.remove(lease) && shared.leases.isEmpty()) {
            byOrigin.remove(lease.origin);
            shared.source.close();
        }
    }
}
