package dev.cairn.plugin.secondary;

import dev.cairn.plugin.secondary.SecondaryZone.Follower;
import dev.cairn.wire.WireName;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The zones that are fetched, each once, over all blocks and reloads. A zone ends with its last user. */
final class SecondaryZones {
    private final Map<Key, Shared> zones = new HashMap<>();

    private record Key(WireName origin, List<InetSocketAddress> primaries) {}

    private static final class Shared {
        private final SecondaryZone zone;
        private int users;

        Shared(SecondaryZone zone) {
            this.zone = zone;
        }
    }

    /** The use of a zone; ended by {@link #close}. */
    final class Lease implements AutoCloseable {
        private final Key key;
        private final SecondaryZone zone;
        private final Follower follower;
        private boolean open = true;

        private Lease(Key key, SecondaryZone zone, Follower follower) {
            this.key = key;
            this.zone = zone;
            this.follower = follower;
        }

        void wake() {
            zone.wake();
        }

        @Override
        public void close() {
            if (open) {
                open = false;
                zone.leave(follower);
                release(key);
            }
        }
    }

    /** Begins to use a zone; the first user has it fetched. */
    synchronized Lease acquire(WireName origin, List<InetSocketAddress> primaries, Follower follower) {
        Key key = new Key(origin, List.copyOf(primaries));
        Shared shared = zones.computeIfAbsent(key, _ -> new Shared(new SecondaryZone(origin, primaries)));
        shared.zone.follow(follower);
        if (shared.users++ == 0) {
            shared.zone.start();
        }
        return new Lease(key, shared.zone, follower);
    }

    private synchronized void release(Key key) {
        Shared shared = zones.get(key);
        if (shared != null && --shared.users == 0) {
            zones.remove(key);
            shared.zone.stop();
        }
    }
}
