package dev.cairn.cluster.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a control plane gives out.
 *
 * @param serviceRanges where cluster IPs come from, at most one range of each family, the first for services that do not say which. Empty
 *     means not configured: addresses come from usual ranges, and any address that a service chooses is accepted
 * @param loadBalancerPool where services of type LoadBalancer get an address if their manifest tells none; null for nowhere
 * @param nodePorts where node ports come from
 * @param apiService whether {@code default/kubernetes} exists even if no manifest has it
 */
public record ControlOptions(
        List<AddressRange> serviceRanges, @Nullable AddressRange loadBalancerPool, PortRange nodePorts, boolean apiService) {
    /** Service ranges not configured, no pool for load balancers, and nothing that the manifests do not say. */
    public static final ControlOptions DEFAULT = new ControlOptions(List.of(), null, PortRange.USUAL, false);

    /** Those of kubeadm and kind. */
    private static final List<AddressRange> USUAL_RANGES =
            List.of(AddressRange.parse("10.96.0.0/12"), AddressRange.parse("fd00:10:96::/112"));

    public ControlOptions {
        serviceRanges = List.copyOf(serviceRanges);
        if (serviceRanges.stream().map(AddressRange::family).distinct().count() != serviceRanges.size()) {
            throw new IllegalArgumentException("more than one service range of a family; give one for IPv4 and one for IPv6 at most");
        }
    }

    /** With these service ranges, and with {@code default/kubernetes}, which every cluster with an API server has. */
    public ControlOptions withServiceRanges(List<AddressRange> ranges) {
        return new ControlOptions(ranges, loadBalancerPool, nodePorts, !ranges.isEmpty());
    }

    public ControlOptions withLoadBalancerPool(AddressRange pool) {
        return new ControlOptions(serviceRanges, pool, nodePorts, apiService);
    }

    public ControlOptions withNodePorts(PortRange range) {
        return new ControlOptions(serviceRanges, loadBalancerPool, range, apiService);
    }

    public ControlOptions withApiService(boolean present) {
        return new ControlOptions(serviceRanges, loadBalancerPool, nodePorts, present);
    }

    boolean rangesConfigured() {
        return !serviceRanges.isEmpty();
    }

    /** The configured ranges, or the usual ones. */
    List<AddressRange> ranges() {
        return serviceRanges.isEmpty() ? USUAL_RANGES : serviceRanges;
    }
}
