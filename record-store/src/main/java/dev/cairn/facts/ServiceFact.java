package dev.cairn.facts;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A service.
 *
 * @param clusterIps its virtual addresses; empty for a headless service and for an external name
 * @param externalName what an external name stands for, without a last dot; empty for other kinds
 * @param externalIps {@code spec.externalIPs}
 * @param ingressIps addresses of {@code status.loadBalancer.ingress}
 * @param ingressHostnames host names of {@code status.loadBalancer.ingress}
 * @param traffic what the proxy has to know; null if the source was not asked for it
 */
public record ServiceFact(
        String namespace,
        String name,
        Kind kind,
        List<Address> clusterIps,
        List<PortFact> ports,
        String externalName,
        List<Address> externalIps,
        List<Address> ingressIps,
        List<String> ingressHostnames,
        @Nullable TrafficFact traffic)
        implements Fact {
    /** What a service's name stands for. */
    public enum Kind {
        CLUSTER_IP,
        HEADLESS,
        EXTERNAL_NAME
    }

    public ServiceFact {
        clusterIps = List.copyOf(clusterIps);
        ports = List.copyOf(ports);
        externalIps = List.copyOf(externalIps);
        ingressIps = List.copyOf(ingressIps);
        ingressHostnames = List.copyOf(ingressHostnames);
    }

    public ServiceFact(
            String namespace,
            String name,
            Kind kind,
            List<Address> clusterIps,
            List<PortFact> ports,
            String externalName,
            List<Address> externalIps,
            List<Address> ingressIps,
            List<String> ingressHostnames) {
        this(namespace, name, kind, clusterIps, ports, externalName, externalIps, ingressIps, ingressHostnames, null);
    }

    @Override
    public Resource resource() {
        return Resource.SERVICES;
    }
}
