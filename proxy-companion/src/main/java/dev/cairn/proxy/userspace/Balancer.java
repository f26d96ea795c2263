package dev.cairn.proxy.userspace;

import dev.cairn.proxy.plan.Endpoint;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Chooses endpoints in turn, and the same for a client with affinity. Any thread may ask. */
final class Balancer {
    /** How many endpoints are tried for one connection. */
    private static final int TRIES = 4;
    /** Clients that are remembered; beyond that, those that have not come for longest are forgotten. */
    private static final int CLIENTS = 65_536;

    private final LongSupplier clock;
    private List<Endpoint> endpoints = List.of();
    private Set<Endpoint> present = Set.of();
    private long affinity;
    private int turn;
    /** Those that came last at the end. */
    private final LinkedHashMap<InetAddress, Sticky> clients = new LinkedHashMap<>(16, 0.75f, true);

    private record Sticky(Endpoint endpoint, long since) {}

    Balancer(LongSupplier clock) {
        this.clock = clock;
    }

    synchronized void update(Targets targets) {
        endpoints = targets.endpoints();
        present = new HashSet<>(endpoints);
        affinity = TimeUnit.SECONDS.toNanos(targets.affinitySeconds());
        clients.values().removeIf(sticky -> affinity == 0 || !present.contains(sticky.endpoint()));
    }

    /** The endpoints to be tried for a client, the first one first; none if there are none. */
    synchronized List<Endpoint> order(InetAddress client) {
        int count = endpoints.size();
        List<Endpoint> order = new ArrayList<>(Math.min(count, TRIES));
        int first = count == 0 ? 0 : turn % count;
        Sticky sticky = affinity == 0 ? null : clients.get(client);
        if (sticky != null && clock.getAsLong() - sticky.since() < affinity) {
            order.add(sticky.endpoint());
        } else {
            turn = first + 1;
        }
        boolean stays = !order.isEmpty();
        for (int i = 0; i < count && order.size() < TRIES; i++) {
            Endpoint endpoint = endpoints.get((first + i) % count);
            if (!stays || !endpoint.equals(order.getFirst())) {
                order.add(endpoint);
            }
        }
        if (affinity > 0 && !order.isEmpty()) {
            remember(client, order.getFirst());
        }
        return order;
    }

    /** An endpoint took a client: with affinity, it is the client's from now on. */
    synchronized void took(InetAddress client, Endpoint endpoint) {
        if (affinity > 0 && present.contains(endpoint)) {
            remember(client, endpoint);
        }
    }

    /** An endpoint does not take a client, which is free to go to another. */
    synchronized void refused(InetAddress client, Endpoint endpoint) {
        Sticky sticky = clients.get(client);
        if (sticky != null && sticky.endpoint().equals(endpoint)) {
            clients.remove(client);
        }
    }

    private void remember(InetAddress client, Endpoint endpoint) {
        long now = clock.getAsLong();
        clients.put(client, new Sticky(endpoint, now));
        while (!clients.isEmpty()) {
            Map.Entry<InetAddress, Sticky> eldest = clients.firstEntry();
            if (clients.size() <= CLIENTS && now - eldest.getValue().since() < affinity) {
                return;
            }
            clients.remove(eldest.getKey());
        }
    }

    /** How many clients are remembered. */
    synchronized int clients() {
        return clients.size();
    }
}
