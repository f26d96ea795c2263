package dev.cairn.proxy.plan;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

    /** Whether traffic may now go where the next plan, null for none, does not lead any more. */
    boolean loses(@Nullable ServicePlan next) {
        Set<Endpoint> kept = new HashSet<>();
        if (next != null) {
            next.ports.forEach(port -> kept.addAll(port.sets().reachable()));
        }
        return ports.stream().anyMatch(port -> !kept.containsAll(port.sets().cluster()) || !kept.containsAll(port.sets().local()));
    }

    /** Whether it comes before others where there are many: a node that starts can do nothing before it reaches the API server and resolves names. */
    public boolean isUrgent() {
        return name.equals(new ServiceName("default", "kubernetes")) || (name.namespace().equals("kube-system")
                && ports.stream().flatMap(port -> port.frontends().stream()).anyMatch(frontend -> frontend.place().port() == 53));
    }
}
