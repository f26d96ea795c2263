package dev.cairn.proxy.ipvs;

import dev.cairn.facts.Protocol;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.plan.Endpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Real servers that are to go and still have connections: with a weight of 0 they get no more of them. They go when the last one has ended,
 * or when their time is over. Only TCP, whose connections have an end. Used by one thread.
 */
final class Drain {
    private final LongSupplier clock;
    private final long longest;
    /** When each has to be gone at the latest. */
    private final Map<ServerKey, Map<Endpoint, Long>> leaving = new HashMap<>();

    /** {@code longest} is in the clock's nanoseconds. */
    Drain(LongSupplier clock, long longest) {
        this.clock = clock;
        this.longest = longest;
    }

    void clear() {
        leaving.clear();
    }

    boolean isLeaving(ServerKey key, Endpoint endpoint) {
        return leaving.getOrDefault(key, Map.of()).containsKey(endpoint);
    }

    /** How to remove a real server: at once, or when it is idle. */
    Change remove(ServerKey key, Endpoint endpoint, RealServer real) {
        if (key.protocol() != Protocol.TCP || real.connections() == 0 || longest == 0) {
            stay(key, endpoint);
            return new Change.DeleteReal(key, endpoint);
        }
        leaving.computeIfAbsent(key, _ -> new HashMap<>()).putIfAbsent(endpoint, clock.getAsLong() + longest);
        return new Change.PutReal(key, endpoint, 0, false);
    }

    /** One that came back, or that is gone. */
    void stay(ServerKey key, Endpoint endpoint) {
        leaving.computeIfPresent(key, (_, those) -> {
            those.remove(endpoint);
            return those.isEmpty() ? null : those;
        });
    }

    /** All of a virtual server are gone with it. */
    void gone(ServerKey key) {
        leaving.remove(key);
    }

    /** Those whose time has come. */
    List<Change.DeleteReal> due(Balancer balancer) throws NetlinkException {
        List<Change.DeleteReal> due = new ArrayList<>();
        for (Map.Entry<ServerKey, Map<Endpoint, Long>> entry : leaving.entrySet()) {
            Map<Endpoint, RealServer> reals = balancer.reals(entry.getKey());
            entry.getValue().forEach((endpoint, deadline) -> {
                RealServer real = reals.get(endpoint);
                if (real == null || real.connections() == 0 || clock.getAsLong() - deadline >= 0) {
                    due.add(new Change.DeleteReal(entry.getKey(), endpoint));
                }
            });
        }
        return due;
    }
}
