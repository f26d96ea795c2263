package dev.cairn.cluster.control;

import dev.cairn.facts.Address;
import java.util.Map;

/**
 * What services have, so that they keep it.
 *
 * @param addresses by service and family, and those of load balancers by service
 * @param nodePorts by service and port
 */
public record Allocations(Map<String, Address> addresses, Map<String, Integer> nodePorts) {
    public static final Allocations NONE = new Allocations(Map.of(), Map.of());

    public Allocations {
        addresses = Map.copyOf(addresses);
        nodePorts = Map.copyOf(nodePorts);
    }

    static String clusterIp(ClusterObject.Meta service, IpFamily family) {
        return service.key() + "/" + family;
    }

    static String loadBalancer(ClusterObject.Meta service) {
        return service.key() + "/load-balancer";
    }

    static String nodePort(ClusterObject.Meta service, ClusterObject.Port port) {
        return service.key() + "/" + port.protocol() + "/" + port.port();
    }
}
