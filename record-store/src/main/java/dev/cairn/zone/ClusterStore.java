package dev.cairn.zone;

import dev.cairn.facts.Address;
import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Fact;
import dev.cairn.facts.ImportFact;
import dev.cairn.facts.NamespaceFact;
import dev.cairn.facts.PodFact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the cluster, and the zones made of it. Written by the source's thread and by those that attach zones, under one lock;
 * readers of zones never take it.
 */
public final class ClusterStore implements ClusterListener {
    private final LongSupplier clockSeconds;
    private final Map<String, Services> namespaces = new TreeMap<>();
    private final Set<String> existing = new HashSet<>();
    private final Map<String, SliceFact> slices = new HashMap<>();
    private final Map<Address, Set<PodFact>> pods = new ConcurrentHashMap<>();
    private final Map<String, PodFact> podsByName = new HashMap<>();
    private final List<Attached> zones = new CopyOnWriteArrayList<>();
    private final Set<Resource> missing;
    private volatile boolean synced;
    private volatile int serial;

    /** The objects of one namespace. */
    private static final class Services {
        private final Map<String, ServiceFact> services = new TreeMap<>();
        private final Map<String, ImportFact> imports = new TreeMap<>();
        private final Map<String, Map<String, SliceFact>> slices = new HashMap<>();
        private final Map<String, Map<String, SliceFact>> importedSlices = new HashMap<>();

        Map<String, Map<String, SliceFact>> slicesLike(SliceFact slice) {
            return slice.isImported() ? importedSlices : slices;
        }
    }

    /** A zone with its PTR records, if it is the one they point into. */
    private static final class Attached {
        private final ClusterZone zone;
        private final @Nullable PointerIndex pointers;
        private final Map<String, ServiceNames> told = new HashMap<>();

        Attached(ClusterZone zone, @Nullable PointerIndex pointers) {
            this.zone = zone;
            this.pointers = pointers;
        }
    }

    /**
     * Makes an empty store.
     *
     * @param wanted the kinds that must have been told before the store counts as synced
     */
    public ClusterStore(Set<Resource> wanted, LongSupplier clockSeconds) {
        this.clockSeconds = clockSeconds;
        this.missing = EnumSet.copyOf(wanted);
        this.serial = (int) clockSeconds.getAsLong();
    }

    /** Whether everything that was wanted has been told once. */
    public boolean isSynced() {
        return synced;
    }

    /** Moves with every change (RFC 1982 arithmetic): the time of the last one, or one more than before. */
    public int serial() {
        return serial;
    }

    /** A zone over what is known now and from now on. */
    public synchronized View attach(ZoneOptions options, boolean withPointers) {
        Attached attached = new Attached(new ClusterZone(options), withPointers ? new PointerIndex(options.ttl()) : null);
        existing.forEach(attached.zone::addNamespace);
        namespaces.forEach((namespace, in) -> names(in, options).forEach(name -> apply(attached, namespace, name)));
        zones.add(attached);
        return new View(attached);
    }

    private static Collection<String> names(Services in, ZoneOptions options) {
        return List.copyOf(options.imported() ? in.imports.keySet() : in.services.keySet());
    }

    /** One zone, for those who ask. */
    public final class View implements AutoCloseable {
        private final Attached attached;

        private View(Attached attached) {
            this.attached = attached;
        }

        public ClusterZone zone() {
            return attached.zone;
        }

        /** The PTR records of the question's name. */
        public @Nullable RrSet pointers(QueryView query) {
            return attached.pointers == null ? null : attached.pointers.find(query);
        }

        /**
         * The names under which services make a server at these addresses known, with the addresses that go with them: a cluster IP's
         * service with its cluster IPs, a headless one's endpoint with its own. Walks over all slices: not per query.
         */
        public Map<WireName, Set<Address>> namesOf(Set<Address> addresses) {
            synchronized (ClusterStore.this) {
                Map<WireName, Set<Address>> names = new LinkedHashMap<>();
                for (ServiceFact service : servicesAt(addresses)) {
                    ServiceNames made = attached.zone.names(service, in(service.namespace()).slices.getOrDefault(service.name(), Map.of()).values());
                    if (made != null) {
                        made.points().stream()
                                .filter(point -> !made.isHeadless() || addresses.contains(point.address()))
                                .forEach(point -> names.computeIfAbsent(point.name(), _ -> new LinkedHashSet<>()).add(point.address()));
                    }
                }
                return names;
            }
        }

        /** Whether there are PTR records below the question's name. */
        public boolean hasPointersBelow(QueryView query) {
            return attached.pointers != null && attached.pointers.hasBelow(query);
        }

        @Override
        public void close() {
            zones.remove(attached);
        }
    }

    /** The kind of a service, null if there is none of that name. */
    public synchronized ServiceFact.@Nullable Kind kindOf(String namespace, String name) {
        ServiceFact service = in(namespace).services.get(name);
        return service == null ? null : service.kind();
    }

    /** The services of the cluster that have an endpoint, ready or not, at one of the addresses. */
    private List<ServiceFact> servicesAt(Set<Address> addresses) {
        return slices.values().stream()
                .filter(slice -> !slice.isImported())
                .filter(slice -> slice.endpoints().stream().anyMatch(endpoint -> addresses.contains(endpoint.address())))
                .sorted(Comparator.comparing(SliceFact::namespace).thenComparing(SliceFact::service))
                .map(slice -> in(slice.namespace()).services.get(slice.service()))
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    /** The pods that have an address. */
    public Set<PodFact> podsWith(Address address) {
        return pods.getOrDefault(address, Set.of());
    }

    @Override
    public synchronized void put(Fact fact) {
        switch (fact) {
            case NamespaceFact(String name) -> {
                existing.add(name);
                zones.forEach(zone -> {
                    zone.zone.addNamespace(name);
                    names(in(name), zone.zone.options()).forEach(service -> apply(zone, name, service));
                });
            }
            case ServiceFact service -> {
                in(service.namespace()).services.put(service.name(), service);
                changed(service.namespace(), service.name());
            }
            case ImportFact service -> {
                in(service.namespace()).imports.put(service.name(), service);
                changed(service.namespace(), service.name());
            }
            case SliceFact slice -> putSlice(slice);
            case PodFact pod -> {
                removePod(pod.namespace(), pod.name());
                podsByName.put(key(pod.namespace(), pod.name()), pod);
                pod.addresses().forEach(address -> pods.merge(address, Set.of(pod), ClusterStore::union));
            }
        }
        moved();
    }

    private static Set<PodFact> union(Set<PodFact> before, Set<PodFact> added) {
        Set<PodFact> all = new HashSet<>(before);
        all.addAll(added);
        return Set.copyOf(all);
    }

    private void putSlice(SliceFact slice) {
        SliceFact before = slices.put(key(slice.namespace(), slice.name()), slice);
        if (before != null && !(before.service().equals(slice.service()) && before.isImported() == slice.isImported())) {
            removeSlice(before);
        }
        in(slice.namespace()).slicesLike(slice).computeIfAbsent(slice.service(), _ -> new TreeMap<>()).put(slice.name(), slice);
        changed(slice.namespace(), slice.service());
    }

    private void removeSlice(SliceFact slice) {
        Map<String, Map<String, SliceFact>> like = in(slice.namespace()).slicesLike(slice);
        Map<String, SliceFact> ofService = like.getOrDefault(slice.service(), new HashMap<>());
        ofService.remove(slice.name());
        if (ofService.isEmpty()) {
            like.remove(slice.service());
        }
        changed(slice.namespace(), slice.service());
    }

    @Override
    public synchronized void remove(Resource resource, String namespace, String name) {
        switch (resource) {
            case NAMESPACES -> {
                existing.remove(name);
                zones.forEach(zone -> zone.zone.removeNamespace(name));
            }
            case SERVICES -> {
                in(namespace).services.remove(name);
                changed(namespace, name);
            }
            case IMPORTS -> {
                in(namespace).imports.remove(name);
                changed(namespace, name);
            }
            case SLICES -> {
                SliceFact slice = slices.remove(key(namespace, name));
                if (slice != null) {
                    removeSlice(slice);
                }
            }
            case PODS -> removePod(namespace, name);
        }
        moved();
    }

    private void removePod(String namespace, String name) {
        PodFact pod = podsByName.remove(key(namespace, name));
        if (pod != null) {
            pod.addresses().forEach(address -> pods.computeIfPresent(address, (_, those) -> {
                Set<PodFact> left = new HashSet<>(those);
                left.remove(pod);
                return left.isEmpty() ? null : Set.copyOf(left);
            }));
        }
    }

    @Override
    public synchronized void synced(Resource resource) {
        missing.remove(resource);
        synced = missing.isEmpty();
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }

    private Services in(String namespace) {
        return namespaces.computeIfAbsent(namespace, _ -> new Services());
    }

    private void changed(String namespace, String service) {
        for (Attached zone : zones) {
            apply(zone, namespace, service);
        }
    }

    private void apply(Attached zone, String namespace, String name) {
        ServiceNames names = names(zone.zone, namespace, name);
        zone.zone.change(namespace, name, names);
        if (zone.pointers != null) {
            ServiceNames told = zone.zone.options().tells(namespace) ? names : null;
            String key = key(namespace, name);
            ServiceNames before = told == null ? zone.told.remove(key) : zone.told.put(key, told);
            zone.pointers.change(key, before, told);
        }
    }

    private @Nullable ServiceNames names(ClusterZone zone, String namespace, String name) {
        Services in = in(namespace);
        if (zone.options().imported()) {
            ImportFact service = in.imports.get(name);
            return service == null ? null : zone.names(service, in.importedSlices.getOrDefault(name, Map.of()).values());
        }
        ServiceFact service = in.services.get(name);
        return service == null ? null : zone.names(service, in.slices.getOrDefault(name, Map.of()).values());
    }

    private void moved() {
        int now = (int) clockSeconds.getAsLong();
        serial = now - serial > 0 ? now : serial + 1;
    }
}
