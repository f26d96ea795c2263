package dev.cairn.facts;

import java.util.List;

/**
 * What of a service concerns the proxy and not its names. Read only for a source that is asked for it.
 *
 * @param internalLocal whether {@code internalTrafficPolicy} is Local
 * @param externalLocal whether {@code externalTrafficPolicy} is Local
 * @param affinitySeconds how long a client stays with an endpoint ({@code sessionAffinity: ClientIP}); 0 if it need not
 * @param sourceRanges {@code loadBalancerSourceRanges} as written
 * @param healthCheckNodePort 0 if there is none
 * @param balancerIps the addresses of its load balancer that the node is to serve: those of ipMode VIP, or of none
 * @param scheduler how IPVS spreads its connections, as the annotation {@link #SCHEDULER} says; empty if it does not
 */
public record TrafficFact(
        Type type,
        boolean internalLocal,
        boolean externalLocal,
        int affinitySeconds,
        List<String> sourceRanges,
        int healthCheckNodePort,
        List<Address> balancerIps,
        String scheduler) {
    /** The annotation by which a service chooses a scheduler of IPVS. */
    public static final String SCHEDULER = "cairn.dev/ipvs-scheduler";

    /** What {@code sessionAffinityConfig} stands for when it says nothing. */
    public static final int USUAL_AFFINITY = 10_800;

    /** A service inside the cluster without any wish. */
    public static final TrafficFact PLAIN = new TrafficFact(Type.CLUSTER_IP, false, false, 0, List.of(), 0, List.of());

    /** How far a service reaches. */
    public enum Type {
        CLUSTER_IP,
        NODE_PORT,
        LOAD_BALANCER
    }

    public TrafficFact {
        sourceRanges = List.copyOf(sourceRanges);
        balancerIps = List.copyOf(balancerIps);
    }

    public TrafficFact(
            Type type,
            boolean internalLocal,
            boolean externalLocal,
            int affinitySeconds,
            List<String> sourceRanges,
            int healthCheckNodePort,
            List<Address> balancerIps) {
        this(type, internalLocal, externalLocal, affinitySeconds, sourceRanges, healthCheckNodePort, balancerIps, "");
    }
}
