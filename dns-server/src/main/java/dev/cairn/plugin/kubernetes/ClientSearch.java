package dev.cairn.plugin.kubernetes;

import dev.cairn.chain.Exchange;
import dev.cairn.facts.Address;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The search path that the kubelet gives to pods: their namespace's services, all services, the cluster, and what the node has. */
final class ClientSearch {
    private final WireName zone;
    private final WireName services;

    ClientSearch(WireName zone) {
        this.zone = zone;
        this.services = zone.child("svc");
    }

    /** The path of the pod that asked for a name of this zone; empty if the question cannot be the first of a search, or the pod is not known. */
    List<WireName> of(Exchange exchange, Served cluster) {
        if (!exchange.query().isWithin(services)) {
            return List.of();
        }
        String namespace = cluster.store().namespaceAt(Address.of(Arrays.copyOf(exchange.clientAddress(), exchange.addressLength())));
        if (namespace == null) {
            return List.of();
        }
        List<WireName> path = new ArrayList<>(List.of(services.child(namespace), services, zone));
        path.addAll(cluster.nodeSearch());
        return path;
    }
}
