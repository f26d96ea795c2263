package dev.cairn.proxy.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a packet.
 *
 * @param endpoints where it may be sent; empty unless it is
 * @param masquerade whether it gets the node's address as its source
 * @param why one sentence for each step
 * @param match what it is for; null if it is no service's
 */
public record Outcome(Verdict verdict, List<Endpoint> endpoints, boolean masquerade, List<String> why, @Nullable Match match) {
    /** A port of a service, at one of its places. */
    public record Match(ServiceName service, PortPlan port, Frontend frontend) {}

    /** What is done with a packet. */
    public enum Verdict {
        /** Sent to an endpoint. */
        DNAT,
        /** Answered with an ICMP error. */
        REJECT,
        DROP,
        /** Let in to the port where load balancers ask for health. */
        ACCEPT,
        /** Nothing; it is no service's. */
        NONE
    }

    public Outcome {
        endpoints = List.copyOf(endpoints);
        why = List.copyOf(why);
    }
}
