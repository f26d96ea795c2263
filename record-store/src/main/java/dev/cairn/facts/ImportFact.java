package dev.cairn.facts;

import java.util.List;

/**
 * A service imported from other clusters (ServiceImport of the multi-cluster services API).
 *
 * @param headless whether its type is Headless instead of ClusterSetIP
 */
public record ImportFact(String namespace, String name, boolean headless, List<Address> ips, List<PortFact> ports) implements Fact {
    public ImportFact {
        ips = List.copyOf(ips);
        ports = List.copyOf(ports);
    }

    @Override
    public Resource resource() {
        return Resource.IMPORTS;
    }
}
