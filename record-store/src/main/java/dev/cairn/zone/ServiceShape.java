package dev.cairn.zone;

import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.EndpointList;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the names of a service are made of: its facts, and how endpoints are named. Immutable; names of endpoints are made when asked for,
 * since there are many and most are never needed.
 *
 * @param headless whether the service's own name stands for its endpoints
 * @param ips its virtual addresses, and {@code ports} theirs; nothing if it is headless
 * @param slices those of the service, in the order of their names; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody, and there are many of these
record ServiceShape(WireName owner, boolean headless, List<Address> ips, List<PortFact> ports, SliceFact[] slices, boolean podNames) {
    static final SliceFact[] NO_SLICES = {};

    /** Whether an endpoint may be answered with. */
    boolean hasReady() {
        for (SliceFact slice : slices) {
            if (slice.endpoints().hasReady()) {
                return true;
            }
        }
        return false;
    }

    /** What the service's own name and its ports stand for. */
    List<ServicePoint> points() {
        if (headless) {
            return endpoints();
        }
        List<ServicePoint> points = new ArrayList<>();
        ips.forEach(address -> addPorts(points, owner, address, ports, ""));
        return points;
    }

    /** What names of endpoints stand for. */
    List<ServicePoint> endpoints() {
        List<ServicePoint> points = new ArrayList<>();
        for (SliceFact slice : slices) {
            for (EndpointFact endpoint : slice.endpoints()) {
                WireName name = endpoint.ready() ? name(slice, endpoint) : null;
                if (name != null) {
                    addPorts(points, name, endpoint.address(), slice.ports(), endpoint.zone());
                }
            }
        }
        return points;
    }

    private static void addPorts(List<ServicePoint> points, WireName name, Address address, List<PortFact> ports, String topologyZone) {
        for (PortFact port : ports) {
            points.add(new ServicePoint(name, address, port, topologyZone));
        }
        if (ports.isEmpty()) {
            points.add(new ServicePoint(name, address, null, topologyZone));
        }
    }

    /** Adds the addresses that the service's own name stands for, of one family. */
    void addOwn(AddressRecords to) {
        if (headless) {
            for (SliceFact slice : slices) {
                to.addReady(slice.endpoints());
            }
        } else {
            ips.forEach(to::add);
        }
    }

    /** Adds the names of the endpoints that have an address. */
    void addNames(Address address, Set<WireName> to) {
        for (SliceFact slice : slices) {
            EndpointList endpoints = slice.endpoints();
            for (int i = 0; i < endpoints.size(); i++) {
                WireName name = endpoints.isReady(i) && endpoints.isAt(i, address) ? name(slice, endpoints.get(i)) : null;
                if (name != null) {
                    to.add(name);
                }
            }
        }
    }

    /** The names of the endpoints that have an address. */
    Set<WireName> names(Address address) {
        Set<WireName> names = new LinkedHashSet<>();
        addNames(address, names);
        return names;
    }

    /** Whether a ready endpoint has this address. */
    boolean hasEndpoint(Address address) {
        for (SliceFact slice : slices) {
            EndpointList endpoints = slice.endpoints();
            for (int i = 0; i < endpoints.size(); i++) {
                if (endpoints.isReady(i) && endpoints.isAt(i, address)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The name of an endpoint; null if it would be too long for DNS. The service's own name stands for it all the same. */
    @Nullable WireName name(SliceFact slice, EndpointFact endpoint) {
        String label = endpoint.label(podNames) + (slice.isImported() ? "." + slice.clusterId() : "");
        return WireName.orNull(label.toLowerCase(Locale.ROOT) + "." + owner);
    }
}
