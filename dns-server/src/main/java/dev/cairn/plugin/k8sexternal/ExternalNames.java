package dev.cairn.plugin.k8sexternal;

import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import dev.cairn.zone.NameEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the names of one service in one zone. Used once, by the thread that changes the index. */
final class ExternalNames {
    private final WireName owner;
    private final int ttl;
    private final boolean podNames;
    private final Map<WireName, NameEntry> names = new HashMap<>();

    /**
     * An address with a port under which it is reached, and the name that SRV records have for it.
     *
     * @param port null if none is declared
     */
    private record Point(WireName target, Address address, @Nullable PortFact port) {}

    private ExternalNames(WireName owner, int ttl, boolean podNames) {
        this.owner = owner;
        this.ttl = ttl;
        this.podNames = podNames;
    }

    /** The addresses by which a service is reached from outside. */
    static Set<Address> addressesOf(ServiceFact service) {
        Set<Address> all = new LinkedHashSet<>(service.externalIps());
        all.addAll(service.ingressIps());
        return all;
    }

    /** All names of a service with their records; empty if there is nothing to tell. */
    static Map<WireName, NameEntry> of(
            ServiceFact service, Collection<SliceFact> slices, WireName zone, ExternalSettings settings, boolean podNames) {
        WireName owner = zone.child(service.name() + "." + service.namespace());
        ExternalNames made = new ExternalNames(owner, settings.ttl(), podNames);
        Set<Address> addresses = addressesOf(service);
        if (!addresses.isEmpty()) {
            made.add(addresses.stream()
                    .flatMap(address -> ports(service.ports()).map(port -> new Point(owner, address, port.orNull())))
                    .toList());
        } else if (!service.ingressHostnames().isEmpty()) {
            made.addAlias(service);
        } else if (settings.headless() && service.kind() != ServiceFact.Kind.EXTERNAL_NAME) {
            made.addEndpoints(slices, service.kind() == ServiceFact.Kind.HEADLESS);
        }
        return made.names;
    }

    /** A port, or that there is none. */
    private record Port(@Nullable PortFact fact) {
        @Nullable PortFact orNull() {
            return fact;
        }
    }

    private static Stream<Port> ports(List<PortFact> declared) {
        return declared.isEmpty() ? Stream.of(new Port(null)) : declared.stream().map(Port::new);
    }

    /** The service's own name and those of its ports. */
    private void add(List<Point> points) {
        if (points.isEmpty()) {
            return;
        }
        names.put(owner, entry(points));
        addPorts(points);
    }

    private void addPorts(List<Point> points) {
        Map<WireName, List<Point>> byPort = new LinkedHashMap<>();
        for (Point point : points) {
            PortFact port = point.port();
            if (port != null && !port.name().isEmpty()) {
                WireName protocol = WireName.parse("_" + port.protocol().label() + "." + owner);
                names.putIfAbsent(protocol, NameEntry.EMPTY);
                WireName name = WireName.parse("_" + port.name().toLowerCase(Locale.ROOT) + "." + protocol);
                byPort.computeIfAbsent(name, _ -> new ArrayList<>()).add(point);
            }
        }
        byPort.forEach((name, those) -> names.put(name, entry(those)));
    }

    private NameEntry entry(List<Point> points) {
        // CoreDNS shares 100 among all that were found, also among those that make the same record.
        int weight = Math.max(1, 100 / points.size());
        Set<List<Object>> seen = new LinkedHashSet<>();
        List<byte[]> services = new ArrayList<>();
        Map<WireName, Set<Address>> targets = new LinkedHashMap<>();
        Set<Address> all = new LinkedHashSet<>();
        for (Point point : points) {
            all.add(point.address());
            PortFact port = point.port();
            if (port != null) {
                targets.computeIfAbsent(point.target(), _ -> new LinkedHashSet<>()).add(point.address());
                if (seen.add(List.of(point.target(), port.port()))) {
                    services.add(Rdata.srv(0, weight, port.port(), point.target()));
                }
            }
        }
        List<RrSet> additional = new ArrayList<>();
        targets.forEach((target, addresses) -> {
            addTo(additional, addresses(target, addresses, true));
            addTo(additional, addresses(target, addresses, false));
        });
        RrSet srv = services.isEmpty() ? null : RrSet.of(owner, DnsType.SRV, DnsClass.IN, ttl, services);
        return new NameEntry(addresses(owner, all, true), addresses(owner, all, false), srv, List.copyOf(additional), null);
    }

    private static void addTo(List<RrSet> sets, @Nullable RrSet set) {
        if (set != null) {
            sets.add(set);
        }
    }

    private @Nullable RrSet addresses(WireName name, Set<Address> from, boolean ipv4) {
        List<byte[]> data = from.stream().filter(address -> address.isIpv4() == ipv4).map(Address::bytes).toList();
        return data.isEmpty() ? null : RrSet.of(name, ipv4 ? DnsType.A : DnsType.AAAA, DnsClass.IN, ttl, data);
    }

    /** A load balancer with a name: an alias stands alone at its name (RFC 2181 section 10.1), so only the first can be told. */
    private void addAlias(ServiceFact service) {
        WireName target;
        try {
            target = WireName.parse(service.ingressHostnames().getFirst());
        } catch (IllegalArgumentException e) {
            return;
        }
        RrSet alias = Rdata.single(owner, DnsType.CNAME, ttl, Rdata.name(target));
        names.put(owner, aliasEntry(service.ports(), target, alias));
        Map<WireName, List<PortFact>> byPort = new LinkedHashMap<>();
        for (PortFact port : service.ports()) {
            if (!port.name().isEmpty()) {
                WireName protocol = WireName.parse("_" + port.protocol().label() + "." + owner);
                names.putIfAbsent(protocol, NameEntry.EMPTY);
                byPort.computeIfAbsent(WireName.parse("_" + port.name().toLowerCase(Locale.ROOT) + "." + protocol), _ -> new ArrayList<>())
                        .add(port);
            }
        }
        byPort.forEach((name, ports) -> names.put(name, aliasEntry(ports, target, alias)));
    }

    private NameEntry aliasEntry(List<PortFact> ports, WireName target, RrSet alias) {
        int weight = ports.isEmpty() ? 1 : Math.max(1, 100 / ports.size());
        List<byte[]> services = ports.stream().map(PortFact::port).distinct().map(port -> Rdata.srv(0, weight, port, target)).toList();
        RrSet srv = services.isEmpty() ? null : RrSet.of(owner, DnsType.SRV, DnsClass.IN, ttl, services);
        return new NameEntry(null, null, srv, List.of(), alias);
    }

    /** @param headless whether the endpoints are told under the service's own name, too */
    private void addEndpoints(Collection<SliceFact> slices, boolean headless) {
        List<Point> points = new ArrayList<>();
        for (SliceFact slice : slices) {
            for (EndpointFact endpoint : slice.endpoints()) {
                if (endpoint.ready()) {
                    WireName name = WireName.parse(hostname(endpoint) + "." + owner);
                    ports(slice.ports()).forEach(port -> points.add(new Point(name, endpoint.address(), port.orNull())));
                }
            }
        }
        if (points.isEmpty()) {
            return;
        }
        Map<WireName, List<Point>> byEndpoint = new LinkedHashMap<>();
        points.forEach(point -> byEndpoint.computeIfAbsent(point.target(), _ -> new ArrayList<>()).add(point));
        if (headless) {
            add(points);
        } else {
            names.put(owner, NameEntry.EMPTY); // it exists, as there are names below it (RFC 8020)
        }
        byEndpoint.forEach((name, those) -> names.put(name, entry(those)));
    }

    private String hostname(EndpointFact endpoint) {
        if (!endpoint.hostname().isEmpty()) {
            return endpoint.hostname();
        }
        return podNames && !endpoint.podName().isEmpty()
                ? endpoint.podName()
                : endpoint.address().toString().replace('.', '-').replace(':', '-');
    }
}
