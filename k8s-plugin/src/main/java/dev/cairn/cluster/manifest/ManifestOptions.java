package dev.cairn.cluster.manifest;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster of manifests is made of.
 *
 * @param paths files, and directories in which all {@code *.yaml}, {@code *.yml} and {@code *.json} count
 * @param serviceRanges where cluster IPs come from, at most one range of each family, the first for services that do not say which. Empty
 *     means not configured: addresses come from usual ranges, and any address that a service chooses is accepted
 * @param loadBalancerPool where services of type LoadBalancer get an address if their manifest tells none; null for nowhere
 * @param nodePorts where node ports come from
 * @param apiService whether {@code default/kubernetes} exists even if no manifest has it
 */
public record ManifestOptions(
        List<Path> paths, List<AddressRange> serviceRanges, @Nullable AddressRange loadBalancerPool, PortRange nodePorts, boolean apiService) {
    /** Those of kubeadm and kind. */
    static final List<AddressRange> USUAL_RANGES = List.of(AddressRange.parse("10.96.0.0/12"), AddressRange.parse("fd00:10:96::/112"));

    /** Ports from a first to a last. */
    public record PortRange(int first, int last) {
        public static final PortRange USUAL = new PortRange(30000, 32767);

        public PortRange {
            if (first < 1 || last > 0xffff || first > last) {
                throw new IllegalArgumentException("not a range of ports: " + first + "-" + last);
            }
        }

        /**
         * Reads {@code FIRST-LAST}.
         *
         * @throws IllegalArgumentException with a sentence for the user
         */
        public static PortRange parse(String text) {
            if (!text.matches("[0-9]{1,5}-[0-9]{1,5}")) {
                throw new IllegalArgumentException("\"" + text + "\" is not a range of ports: write FIRST-LAST, such as 30000-32767");
            }
            int dash = text.indexOf('-');
            return new PortRange(Integer.parseInt(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
        }

        int size() {
            return last - first + 1;
        }

        /** As for addresses: min(max(16, size / 32), 128) ports are kept for those who choose one. */
        int band() {
            return size() < 16 ? 0 : Math.clamp(size() / 32, 16, 128);
        }

        @Override
        public String toString() {
            return first + "-" + last;
        }
    }

    public ManifestOptions {
        paths = List.copyOf(paths);
        serviceRanges = List.copyOf(serviceRanges);
        if (serviceRanges.stream().map(AddressRange::family).distinct().count() != serviceRanges.size()) {
            throw new IllegalArgumentException("more than one service range of a family; give one for IPv4 and one for IPv6 at most");
        }
    }

    /** With service ranges not configured, no pool for load balancers and nothing that the manifests do not say. */
    public static ManifestOptions of(List<Path> paths) {
        return new ManifestOptions(paths, List.of(), null, PortRange.USUAL, false);
    }

    /** With these service ranges, and with {@code default/kubernetes}, which every cluster with an API server has. */
    public ManifestOptions withServiceRanges(List<AddressRange> ranges) {
        return new ManifestOptions(paths, ranges, loadBalancerPool, nodePorts, !ranges.isEmpty());
    }

    public ManifestOptions withLoadBalancerPool(AddressRange pool) {
        return new ManifestOptions(paths, serviceRanges, pool, nodePorts, apiService);
    }

    public ManifestOptions withNodePorts(PortRange range) {
        return new ManifestOptions(paths, serviceRanges, loadBalancerPool, range, apiService);
    }

    public ManifestOptions withApiService(boolean present) {
        return new ManifestOptions(paths, serviceRanges, loadBalancerPool, nodePorts, present);
    }

    boolean rangesConfigured() {
        return !serviceRanges.isEmpty();
    }

    /** The configured ranges, or the usual ones. */
    List<AddressRange> ranges() {
        return serviceRanges.isEmpty() ? USUAL_RANGES : serviceRanges;
    }
}
