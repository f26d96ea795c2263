package dev.cairn.zone;

import dev.cairn.facts.Address;
import dev.cairn.facts.PortFact;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names of one service: its own, and those below it for ports and endpoints. Immutable; the addresses at the service's own name are made
 * when the cluster changes, all else when it is first asked for, since most services never are.
 */
final class ServiceNames {
    private final WireName owner;
    private final int ttl;
    private final @Nullable ServiceShape shape;
    private final NameEntry addresses;
    private int generation;
    private volatile @Nullable NameEntry whole;
    private volatile @Nullable NameMap<NameEntry> below;

    ServiceNames(ServiceShape shape, int ttl) {
        this.owner = shape.owner();
        this.ttl = ttl;
        this.shape = shape;
        this.addresses = new NameEntry(ownAddresses(shape, true), ownAddresses(shape, false), null, List.of(), null);
    }

    /** An external name: an alias and nothing below it. */
    ServiceNames(WireName owner, int ttl, WireName target) {
        this.owner = owner;
        this.ttl = ttl;
        this.shape = null;
        this.addresses = new NameEntry(null, null, null, List.of(), Rdata.single(owner, DnsType.CNAME, ttl, Rdata.name(target)));
        this.whole = addresses;
        this.below = NameMap.copyOf(Map.of());
    }

    /** Which of the names that its slot has had these are; 0 for none. */
    static int generation(@Nullable ServiceNames names) {
        return names == null ? 0 : names.generation;
    }

    /** Set before they are published. */
    void generation(int number) {
        generation = number;
    }

    /** What the names are made of; null for an external name. */
    @Nullable ServiceShape shape() {
        return shape;
    }

    /** Whether the service's own name stands for its endpoints. */
    boolean isHeadless() {
        return shape != null && shape.headless();
    }

    private List<ServicePoint> points() {
        return shape == null ? List.of() : shape.points();
    }

    /** What stands at the service's own name, for questions of this type. */
    NameEntry own(int type) {
        if (type != DnsType.SRV) {
            return addresses;
        }
        NameEntry made = whole;
        if (made == null) {
            made = entry(points(), addresses);
            whole = made;
        }
        return made;
    }

    /** What stands at the question's name, which is below the service's; null if there is no such name. */
    @Nullable NameEntry below(QueryView query) {
        NameMap<NameEntry> names = below;
        if (names == null) {
            names = NameMap.copyOf(shape == null ? Map.of() : makeBelow(shape));
            below = names;
        }
        NameEntry found = names.get(query);
        return found != null || query.labelCount() != owner.labelCount() + 2 ? found : withUnderscores(query, names);
    }

    /** CoreDNS takes {@code http.tcp.web...} for {@code _http._tcp.web...}; the underscores are put where they were left out. */
    private static @Nullable NameEntry withUnderscores(QueryView query, NameMap<NameEntry> names) {
        byte[] name = new byte[query.nameLength() + 2];
        int length = 0;
        for (int i = 0; i < 2; i++) {
            int at = query.labelAt(i);
            int label = query.name()[at];
            int missing = query.name()[at + 1] == '_' ? 0 : 1;
            if (label + missing > WireName.MAX_LABEL) {
                return null;
            }
            name[length] = (byte) (label + missing);
            name[length + 1] = '_';
            System.arraycopy(query.name(), at + 1, name, length + 1 + missing, label);
            length += 1 + missing + label;
        }
        int rest = query.labelAt(2);
        System.arraycopy(query.name(), rest, name, length, query.nameLength() - rest);
        length += query.nameLength() - rest;
        return names.get(name, 0, length, WireName.hash(name, 0, length));
    }

    /** The endpoints in a topology zone; with {@code prefer} all of them if there are none. */
    NameEntry zonal(String topologyZone, boolean prefer) {
        List<ServicePoint> points = points();
        List<ServicePoint> there = points.stream().filter(point -> point.topologyZone().equalsIgnoreCase(topologyZone)).toList();
        List<ServicePoint> chosen = there.isEmpty() && prefer ? points : there;
        return entry(chosen, new NameEntry(addresses(chosen, true), addresses(chosen, false), null, List.of(), null));
    }

    private Map<WireName, NameEntry> makeBelow(ServiceShape shape) {
        Map<WireName, NameEntry> names = new HashMap<>();
        Map<WireName, List<ServicePoint>> byEndpoint =
                shape.endpoints().stream().collect(Collectors.groupingBy(ServicePoint::name, LinkedHashMap::new, Collectors.toList()));
        byEndpoint.forEach((name, those) -> {
            if (!name.equals(owner)) {
                names.put(name, entry(those, new NameEntry(addresses(those, true), addresses(those, false), null, List.of(), null)));
                parents(name).forEach(parent -> names.putIfAbsent(parent, NameEntry.EMPTY));
            }
        });
        Map<WireName, List<ServicePoint>> byPort = new LinkedHashMap<>();
        for (ServicePoint point : shape.points()) {
            PortFact port = point.port();
            WireName name = port == null ? null : portName(owner, port);
            if (port != null && name != null) {
                byPort.computeIfAbsent(name, _ -> new ArrayList<>()).add(point);
                names.putIfAbsent(WireName.parse("_" + port.protocol().label() + "." + owner), NameEntry.EMPTY);
            }
        }
        byPort.forEach((name, those) ->
                names.put(name, entry(those, new NameEntry(addresses(those, true), addresses(those, false), null, List.of(), null))));
        return names;
    }

    /** The name of a service's port; null if the port has none, or one that is too long for DNS with its underscore. */
    static @Nullable WireName portName(WireName owner, PortFact port) {
        return port.name().isEmpty()
                ? null
                : WireName.orNull("_" + port.name().toLowerCase(Locale.ROOT) + "._" + port.protocol().label() + "." + owner);
    }

    /** The names between an endpoint's and the service's own, which exist because the endpoint's does (RFC 8020). */
    private List<WireName> parents(WireName name) {
        List<WireName> parents = new ArrayList<>();
        String text = name.toString();
        for (int dot = text.indexOf('.'); dot >= 0 && text.length() - dot - 1 > owner.toString().length(); dot = text.indexOf('.', dot + 1)) {
            parents.add(WireName.parse(text.substring(dot + 1)));
        }
        return parents;
    }

    private @Nullable RrSet ownAddresses(ServiceShape from, boolean ipv4) {
        AddressRecords records = new AddressRecords(ipv4);
        from.addOwn(records);
        return records.set(owner, ttl);
    }

    private @Nullable RrSet addresses(List<ServicePoint> from, boolean ipv4) {
        return addresses(owner, from.stream().map(ServicePoint::address).toList(), ipv4);
    }

    private @Nullable RrSet addresses(WireName name, Collection<Address> from, boolean ipv4) {
        AddressRecords records = new AddressRecords(ipv4);
        from.forEach(records::add);
        return records.set(name, ttl);
    }

    /** Adds SRV records, with one weight for all: the hundredth part for each address and port, at least 1. */
    private NameEntry entry(List<ServicePoint> from, NameEntry plain) {
        List<ServicePoint> ported = from.stream().filter(point -> point.port() != null).toList();
        if (ported.isEmpty()) {
            return plain;
        }
        int weight = Math.max(1, 100 / from.size());
        Set<Target> targets = new LinkedHashSet<>();
        Map<WireName, Set<Address>> byName = new LinkedHashMap<>();
        int bytes = 0;
        for (ServicePoint point : ported) {
            PortFact port = point.port();
            if (port != null && bytes < AddressRecords.MOST_BYTES && targets.add(new Target(point.name(), port.port()))) {
                bytes += RrSet.RECORD_HEAD + 6 + point.name().length();
            }
            byName.computeIfAbsent(point.name(), _ -> new LinkedHashSet<>()).add(point.address());
        }
        RrSet srv = RrSet.of(owner, DnsType.SRV, DnsClass.IN, ttl,
                targets.stream().map(target -> Rdata.srv(0, weight, target.port(), target.name())).toList());
        List<RrSet> additional = new ArrayList<>();
        byName.forEach((name, all) -> {
            for (boolean ipv4 : new boolean[] {true, false}) {
                RrSet family = addresses(name, all, ipv4);
                if (family != null) {
                    additional.add(family);
                }
            }
        });
        return new NameEntry(plain.a(), plain.aaaa(), srv, additional, null);
    }

    private record Target(WireName name, int port) {}
}
