package dev.cairn.facts;

import java.util.List;

/**
 * A node.
 *
 * @param zone its topology zone, empty if it has none
 * @param addresses its own addresses, the internal ones first
 * @param podRanges {@code spec.podCIDRs}
 * @param leaving whether it is about to be taken away: it is being deleted, or the autoscaler marked it for that
 */
public record NodeFact(String name, String zone, List<Address> addresses, List<String> podRanges, boolean leaving) implements Fact {
    /** The taint by which the cluster autoscaler says so. */
    public static final String LEAVING_TAINT = "ToBeDeletedByClusterAutoscaler";

    public NodeFact {
        addresses = List.copyOf(addresses);
        podRanges = List.copyOf(podRanges);
    }

    @Override
    public Resource resource() {
        return Resource.NODES;
    }

    @Override
    public String namespace() {
        return "";
    }
}
