package dev.cairn.zone;

import dev.cairn.facts.Address;
import dev.cairn.facts.PortFact;
import dev.cairn.wire.WireName;
import org.jspecify.annotations.Nullable;

/**
 * One way to reach a service: an address and a port under a name.
 *
 * @param name what SRV records point to
 * @param port null if the service or slice names none
 * @param topologyZone where the endpoint is; empty if unknown
 */
record ServicePoint(WireName name, Address address, @Nullable PortFact port, String topologyZone) {}
