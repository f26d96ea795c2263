package dev.cairn.proxy.plan;

import dev.cairn.facts.EndpointHints;

/**
 * An endpoint with what decides whether it is chosen.
 *
 * @param local whether it is on this node
 */
public record EndpointState(Endpoint endpoint, boolean ready, boolean serving, boolean terminating, boolean local, EndpointHints hints) {
    /** Whether it may be used when nothing is ready: it is on its way out but still takes connections. */
    boolean isLastResort() {
        return !ready && serving && terminating;
    }
}
