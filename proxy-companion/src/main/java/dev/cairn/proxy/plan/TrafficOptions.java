package dev.cairn.proxy.plan;

import dev.cairn.cluster.control.AddressRange;
import java.util.List;

/**
 * What is decided for all services alike.
 *
 * @param masqueradeAll whether all traffic to cluster IPs gets the node's address
 * @param serviceRanges where cluster IPs come from, as far as known
 * @param strict whether the backend refuses what no service has: other ports of cluster IPs, and unused addresses of the ranges (nftables)
 * @param localhostNodePorts whether node ports are found at 127.0.0.1 (iptables, userspace)
 */
public record TrafficOptions(
        boolean masqueradeAll,
        LocalDetector detector,
        NodePortAddresses nodePortAddresses,
        List<AddressRange> serviceRanges,
        boolean strict,
        boolean localhostNodePorts) {
    public TrafficOptions {
        serviceRanges = List.copyOf(serviceRanges);
    }

    /** Whether a node port is really found at 127.0.0.1. */
    public boolean hasLocalhostNodePorts() {
        return localhostNodePorts && nodePortAddresses.coversLocalhost();
    }

    public TrafficOptions withServiceRanges(List<AddressRange> ranges) {
        return new TrafficOptions(masqueradeAll, detector, nodePortAddresses, ranges, strict, localhostNodePorts);
    }
}
