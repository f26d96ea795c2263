package dev.cairn.facts;

import java.util.List;

/**
 * A slice of the endpoints of a service.
 *
 * @param service the service it belongs to (label {@code kubernetes.io/service-name}), or for an imported service the name of the import
 * @param clusterId the cluster an imported slice comes from (label {@code multicluster.kubernetes.io/source-cluster}); empty for slices of
 *     this cluster's own services
 * @param ports empty if the slice names none
 * @param triggerMillis when the change that led to the slice happened (annotation {@code endpoints.kubernetes.io/last-change-trigger-time}),
 *     0 if unknown
 */
public record SliceFact(
        String namespace,
        String name,
        String service,
        String clusterId,
        List<PortFact> ports,
        EndpointList endpoints,
        long triggerMillis)
        implements Fact {
    public SliceFact {
        ports = List.copyOf(ports);
    }

    public SliceFact(
            String namespace, String name, String service, String clusterId, List<PortFact> ports, List<EndpointFact> endpoints, long triggerMillis) {
        this(namespace, name, service, clusterId, ports, EndpointList.of(endpoints), triggerMillis);
    }

    public boolean isImported() {
        return !clusterId.isEmpty();
    }

    @Override
    public Resource resource() {
        return Resource.SLICES;
    }
}
