package dev.cairn.proxy.userspace;

import dev.cairn.proxy.plan.Endpoint;
import java.util.List;

/**
 * Where a listener sends to.
 *
 * @param endpoints those that get new connections
 * @param kept those that keep what they have, too: UDP sessions to all others end
 * @param affinitySeconds for how long a client stays with its endpoint; 0 for not at all
 */
record Targets(List<Endpoint> endpoints, List<Endpoint> kept, int affinitySeconds) {
    Targets {
        endpoints = List.copyOf(endpoints);
        kept = List.copyOf(kept);
    }
}
