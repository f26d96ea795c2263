package dev.cairn.plugin.k8sexternal;

import dev.cairn.facts.Address;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.IpAddress;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import dev.cairn.zone.ClusterStore;
import dev.cairn.zone.NameEntry;
import dev.cairn.zone.ServiceWatcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The names of all services in the external zones, with their records. Changed by the store's writer, one service at a time; read by all
 * threads without a lock.
 */
final class ExternalIndex implements ServiceWatcher {
    private final ClusterStore store;
    private final ExternalSettings settings;
    private final Set<String> told;
    private final boolean podNames;
    private final Set<Address> localAddresses;

    private final Map<WireName, NameEntry> names = new ConcurrentHashMap<>();
    private final Map<WireName, RrSet> pointers = new ConcurrentHashMap<>();
    private volatile Set<Address> serverAddresses;

    // What follows is the writer's alone.
    private final Map<String, Set<WireName>> namesOf = new HashMap<>();
    private final Map<String, Set<Address>> addressesOf = new HashMap<>();
    private final Map<Address, Set<String>> servicesAt = new HashMap<>();
    private final Map<String, Set<Address>> ours = new TreeMap<>();

    /** @param told the namespaces whose services are told; empty for all */
    ExternalIndex(ClusterStore store, ExternalSettings settings, Set<String> told, boolean podNames, Set<Address> localAddresses) {
        this.store = store;
        this.settings = settings;
        this.told = Set.copyOf(told);
        this.podNames = podNames;
        this.localAddresses = Set.copyOf(localAddresses);
        serverAddresses = this.localAddresses;
    }

    ClusterStore store() {
        return store;
    }

    /** What stands behind the question's name; null if it does not exist. */
    @Nullable NameEntry find(QueryView query) {
        return names.get(WireName.of(query.name(), 0, query.nameLength()));
    }

    /** The services at the address whose reverse name is asked for. */
    @Nullable RrSet pointers(QueryView query) {
        return pointers.get(WireName.of(query.name(), 0, query.nameLength()));
    }

    /** All records of the names in a zone that are not in another zone below it. */
    Stream<RrSet> sets(WireName zone) {
        List<WireName> below = settings.zones().stream().filter(other -> !other.equals(zone) && other.isWithin(zone)).toList();
        Stream<RrSet> ofServices = names.entrySet().stream()
                .filter(entry -> isIn(entry.getKey(), zone, below))
                .flatMap(entry -> sets(entry.getKey(), entry.getValue()));
        return Stream.concat(ofServices,
                pointers.entrySet().stream().filter(entry -> isIn(entry.getKey(), zone, below)).map(Map.Entry::getValue));
    }

    private static boolean isIn(WireName name, WireName zone, List<WireName> below) {
        return name.isWithin(zone) && below.stream().noneMatch(name::isWithin);
    }

    /** Under the name of a port only its SRV records; and nothing beside an alias, which must stand alone (RFC 2181 section 10.1). */
    private static Stream<RrSet> sets(WireName name, NameEntry entry) {
        Stream<@Nullable RrSet> sets;
        if (name.toString().startsWith("_")) {
            sets = Stream.of(entry.srv());
        } else {
            sets = entry.alias() != null ? Stream.of(entry.alias()) : Stream.of(entry.a(), entry.aaaa(), entry.srv());
        }
        return sets.filter(Objects::nonNull).map(set -> Objects.requireNonNull(set).withOwner(name));
    }

    /** The addresses of this server as they are known outside. */
    Set<Address> serverAddresses() {
        return serverAddresses;
    }

    private boolean tells(String namespace) {
        return told.isEmpty() || told.contains(namespace);
    }

    @Override
    public void namespace(String name, boolean exists) {
        if (!tells(name)) {
            return;
        }
        for (WireName zone : settings.forwardZones()) {
            WireName inZone = zone.child(name);
            if (exists) {
                names.putIfAbsent(inZone, NameEntry.EMPTY);
            } else {
                names.remove(inZone);
            }
        }
    }

    @Override
    public void service(String namespace, String name, @Nullable ServiceFact service, Collection<SliceFact> slices) {
        String key = name + "." + namespace;
        ServiceFact known = tells(namespace) ? service : null;
        Map<WireName, NameEntry> now = new HashMap<>();
        if (known != null) {
            settings.forwardZones().forEach(zone -> now.putAll(ExternalNames.of(known, slices, zone, settings, podNames)));
        }
        names.putAll(now);
        Set<WireName> before = now.isEmpty() ? namesOf.remove(key) : namesOf.put(key, Set.copyOf(now.keySet()));
        if (before != null) {
            before.stream().filter(gone -> !now.containsKey(gone)).forEach(names::remove);
        }
        Set<Address> addresses = known != null ? ExternalNames.addressesOf(known) : Set.of();
        changePointers(key, addresses);
        boolean isOurs = known != null && slices.stream().flatMap(slice -> slice.endpoints().stream())
                .anyMatch(endpoint -> localAddresses.contains(endpoint.address()));
        changeServer(key, isOurs ? addresses : Set.of());
    }

    private void changePointers(String key, Set<Address> now) {
        Set<Address> before = now.isEmpty() ? addressesOf.remove(key) : addressesOf.put(key, now);
        Set<Address> touched = new HashSet<>(now);
        touched.addAll(before == null ? Set.of() : before);
        for (Address address : touched) {
            Set<String> services = servicesAt.computeIfAbsent(address, _ -> new TreeSet<>());
            if (now.contains(address) ? !services.add(key) : !services.remove(key)) {
                continue;
            }
            WireName name = IpAddress.reverseName(address.bytes());
            if (services.isEmpty()) {
                servicesAt.remove(address);
                pointers.remove(name);
            } else {
                List<byte[]> data = new ArrayList<>();
                services.forEach(service -> data.add(Rdata.name(settings.zones().getFirst().child(service))));
                pointers.put(name, RrSet.of(name, DnsType.PTR, DnsClass.IN, settings.ttl(), data));
            }
        }
    }

    private void changeServer(String key, Set<Address> addresses) {
        Set<Address> before = addresses.isEmpty() ? ours.remove(key) : ours.put(key, addresses);
        if (!addresses.isEmpty() || before != null) {
            Set<Address> all = new LinkedHashSet<>();
            ours.values().forEach(all::addAll);
            serverAddresses = all.isEmpty() ? localAddresses : Set.copyOf(all);
        }
    }
}
