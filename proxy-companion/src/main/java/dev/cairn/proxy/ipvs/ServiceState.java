package dev.cairn.proxy.ipvs;

import dev.cairn.facts.Address;
import dev.cairn.proxy.plan.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a service has in the kernel.
 *
 * @param addresses those that our link has for it
 */
record ServiceState(Map<ServerKey, Wanted> servers, Set<Address> addresses, Set<Element> elements) {
    static final ServiceState NONE = new ServiceState(Map.of(), Set.of(), Set.of());

    /** A virtual server and where it leads. */
    record Wanted(Server server, List<Endpoint> endpoints) {}
}
