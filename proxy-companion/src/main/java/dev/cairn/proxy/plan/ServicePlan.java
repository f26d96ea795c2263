package dev.cairn.proxy.plan;

import java.util.List;

/**
 * What is to be done for a service.
 *
 * @param healthCheckNodePort where load balancers ask whether this node has endpoints; 0 for nowhere
 * @param localReady how many ready endpoints are on this node; what is terminating gets traffic but does not count
 * @param scheduler how IPVS is to spread its connections; empty for the usual way
 */
public record ServicePlan(ServiceName name, List<PortPlan> ports, int healthCheckNodePort, int localReady, String scheduler) {
    public ServicePlan {
        ports = List.copyOf(ports);
    }
}
