package dev.cairn.plugin.kubernetes;

import dev.cairn.facts.Address;
import dev.cairn.wire.WireName;
import dev.cairn.zone.ClusterStore;
import java.util.List;
import java.util.Set;

/**
 * A cluster as the plugin serves it.
 *
 * @param zones one for each zone of the directive
 * @param primary the zone that PTR records point into
 * @param localAddresses those this server listens on, but for loopback: who asks for the zone's name servers is told of them
 * @param nodeSearch the search list of the node, which pods have at the end of theirs
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody; read per query
record Served(
        ClusterStore store, ServedZone[] zones, ClusterStore.View primary, Set<Address> localAddresses, List<WireName> nodeSearch) {}
