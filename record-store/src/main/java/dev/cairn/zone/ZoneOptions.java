package dev.cairn.zone;

import dev.cairn.wire.WireName;
import java.util.Set;

/**
 * How names of a cluster zone are made.
 *
 * @param ttl of all records, and the minimum of the SOA
 * @param namespaces those whose names are told; empty for all
 * @param podNames whether endpoints without a host name are named after their pods
 * @param emptyServices whether a cluster IP is told though no endpoint is ready
 * @param imported whether the zone holds imported services instead of the cluster's own
 */
public record ZoneOptions(
        WireName zone, int ttl, Set<String> namespaces, boolean podNames, boolean emptyServices, boolean imported) {
    public ZoneOptions {
        namespaces = Set.copyOf(namespaces);
    }

    boolean tells(String namespace) {
        return namespaces.isEmpty() || namespaces.contains(namespace);
    }
}
