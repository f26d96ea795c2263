package dev.cairn.zone;

import dev.cairn.facts.Address;
import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.EndpointList;
import dev.cairn.facts.Fact;
import dev.cairn.facts.ImportFact;
import dev.cairn.facts.NamespaceFact;
import dev.cairn.facts.NodeFact;
import dev.cairn.facts.PodFact;
import dev.cairn.facts.RangeFact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.Arrays;
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
    private final Map<Address, Set<PodFact>> pods = new ConcurrentHashMap<>();
    private final Map<String, PodFact> podsByName = new HashMap<>();
    private final List<Attached> zones = new CopyOnWriteArrayList<>();
    private final List<ServiceWatcher> watchers = new CopyOnWriteArrayList<>();
    private final Set<Resource> missing;
    private volatile boolean synced;
    private volatile int serial;

    /** The objects of one namespace. Slices of a service are in the order of their names, in arrays that are replaced and never changed. */
    private static final class Services {
        private final Map<String, ServiceFact> services = new TreeMap<>();
        private final Map<String, ImportFact> imports = new TreeMap<>();
        private final Map<String, SliceFact> slicesByName = new HashMap<>();
        private final Map<String, SliceFact[]> slices = new HashMap<>();
        private final Map<String, SliceFact[]> importedSlices = new HashMap<>();

        Map<String, SliceFact[]> slicesLike(SliceFact slice) {
            return slice.isImported() ? importedSlices : slices;
        }

        SliceFact[] slicesOf(String service) {
            return slices.getOrDefault(service, ServiceShape.NO_SLICES);
        }

        SliceFact[] importedSlicesOf(String service) {
            return importedSlices.getOrDefault(service, ServiceShape.NO_SLICES);
        }
    }

    /** A zone with its PTR records, if it is the one they point into. */
    private record Attached(ClusterZone zone, @Nullable PointerIndex pointers) {}

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
        existing.forEach(attached.zone()::addNamespace);
        namespaces.forEach((namespace, in) -> names(in, options).forEach(name -> apply(attached, namespace, name)));
        zones.add(attached);
        return new View(attached);
    }

    /** Tells of all services that there are now and from now on, until {@link #unwatch}. */
    public synchronized void watch(ServiceWatcher watcher) {
        existing.forEach(namespace -> watcher.namespace(namespace, true));
        namespaces.forEach((namespace, in) -> List.copyOf(in.services.keySet()).forEach(name -> tell(watcher, namespace, name)));
        watchers.add(watcher);
    }

    public void unwatch(ServiceWatcher watcher) {
        watchers.remove(watcher);
    }

    private void tell(ServiceWatcher watcher, String namespace, String name) {
        Services in = in(namespace);
        watcher.service(namespace, name, in.services.get(name), List.of(in.slicesOf(name)));
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
                    ServiceNames made = attached.zone.slot(service.namespace(), service.name()).names();
                    ServiceShape shape = made == null ? null : made.shape();
                    if (shape != null) {
                        shape.points().stream()
                                .filter(point -> !shape.headless() || addresses.contains(point.address()))
                                .forEach(point -> names.computeIfAbsent(point.name(), _ -> new LinkedHashSet<>()).add(point.address()));
                    }
                }
                return names;
            }
        }

        /**
         * The records of all services, for a transfer of the zone. Each service is looked at when its turn comes, so that a large cluster
         * is never held twice.
         */
        public Iterable<RrSet> services() {
            return () -> told(attached.zone).stream().flatMap(name -> transferred(attached.zone, name).stream()).iterator();
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

    private record ServiceName(String namespace, String name) {}

    private synchronized List<ServiceName> told(ClusterZone zone) {
        List<ServiceName> told = new ArrayList<>();
        namespaces.forEach((namespace, in) -> {
            if (existing.contains(namespace) && zone.options().tells(namespace)) {
                names(in, zone.options()).forEach(name -> told.add(new ServiceName(namespace, name)));
            }
        });
        return told;
    }

    private synchronized List<RrSet> transferred(ClusterZone zone, ServiceName service) {
        Services in = in(service.namespace());
        if (zone.options().imported()) {
            ImportFact known = in.imports.get(service.name());
            return known == null ? List.of() : zone.transferred(known, in.importedSlicesOf(service.name()));
        }
        ServiceFact known = in.services.get(service.name());
        return known == null ? List.of() : zone.transferred(known, in.slicesOf(service.name()));
    }

    /** The kind of a service, null if there is none of that name. */
    public synchronized ServiceFact.@Nullable Kind kindOf(String namespace, String name) {
        ServiceFact service = in(namespace).services.get(name);
        return service == null ? null : service.kind();
    }

    /** The services of the cluster that have an endpoint, ready or not, at one of the addresses. */
    private List<ServiceFact> servicesAt(Set<Address> addresses) {
        return namespaces.values().stream()
                .flatMap(in -> in.slicesByName.values().stream())
                .filter(slice -> !slice.isImported() && hasAny(slice.endpoints(), addresses))
                .sorted(Comparator.comparing(SliceFact::namespace).thenComparing(SliceFact::service))
                .map(slice -> in(slice.namespace()).services.get(slice.service()))
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    private static boolean hasAny(EndpointList endpoints, Set<Address> addresses) {
        for (Address address : addresses) {
            for (int i = 0; i < endpoints.size(); i++) {
                if (endpoints.isAt(i, address)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The pods that have an address. */
    public Set<PodFact> podsWith(Address address) {
        return pods.getOrDefault(address, Set.of());
    }

    /**
     * The namespace of the pod that has an address; null if no pod has it, or it is a node's, which anything on the node may have: pods on the
     * host's network, several of them, or no pod at all.
     */
    public @Nullable String namespaceAt(Address address) {
        Set<PodFact> those = podsWith(address);
        PodFact only = those.size() == 1 ? those.iterator().next() : null;
        return only == null || only.onHostNetwork() ? null : only.namespace();
    }

    @Override
    public synchronized void put(Fact fact) {
        switch (fact) {
            case NamespaceFact(String name) -> {
                existing.add(name);
                watchers.forEach(watcher -> watcher.namespace(name, true));
                zones.forEach(zone -> zone.zone.addNamespace(name));
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
            case NodeFact _, RangeFact _ -> {}   // have no names
        }
        moved();
    }

    private static Set<PodFact> union(Set<PodFact> before, Set<PodFact> added) {
        Set<PodFact> all = new HashSet<>(before);
        all.addAll(added);
        return Set.copyOf(all);
    }

    private void putSlice(SliceFact slice) {
        Services in = in(slice.namespace());
        SliceFact before = in.slicesByName.put(slice.name(), slice);
        if (before != null && !(before.service().equals(slice.service()) && before.isImported() == slice.isImported())) {
            removeSlice(before);
        }
        in.slicesLike(slice).merge(slice.service(), new SliceFact[] {slice}, (those, _) -> with(those, slice));
        changed(slice.namespace(), slice.service());
    }

    private static SliceFact[] with(SliceFact[] those, SliceFact slice) {
        int at = 0;
        while (at < those.length && those[at].name().compareTo(slice.name()) < 0) {
            at++;
        }
        boolean replaces = at < those.length && those[at].name().equals(slice.name());
        SliceFact[] all = Arrays.copyOf(those, replaces ? those.length : those.length + 1);
        if (!replaces) {
            System.arraycopy(those, at, all, at + 1, those.length - at);
        }
        all[at] = slice;
        return all;
    }

    private void removeSlice(SliceFact slice) {
        in(slice.namespace()).slicesLike(slice).computeIfPresent(slice.service(), (_, those) -> {
            SliceFact[] left = Arrays.stream(those).filter(other -> !other.name().equals(slice.name())).toArray(SliceFact[]::new);
            return left.length == 0 ? null : left;
        });
        changed(slice.namespace(), slice.service());
    }

    @Override
    public synchronized void remove(Resource resource, String namespace, String name) {
        switch (resource) {
            case NAMESPACES -> {
                existing.remove(name);
                watchers.forEach(watcher -> watcher.namespace(name, false));
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
                SliceFact slice = in(namespace).slicesByName.remove(name);
                if (slice != null) {
                    removeSlice(slice);
                }
            }
            case PODS -> removePod(namespace, name);
            case NODES, SERVICE_RANGES -> {}
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
        for (ServiceWatcher watcher : watchers) {
            tell(watcher, namespace, service);
        }
    }

    private void apply(Attached zone, String namespace, String name) {
        if (!zone.zone.options().tells(namespace)) {
            return;
        }
        ServiceSlot slot = zone.zone.slot(namespace, name);
        ServiceNames before = slot.names();
        ServiceNames names = names(zone.zone, slot.owner(), namespace, name);
        slot.names(names);
        if (zone.pointers != null) {
            zone.pointers.changed(slot, before == null ? null : before.shape(), names == null ? null : names.shape());
        }
    }

    private @Nullable ServiceNames names(ClusterZone zone, WireName owner, String namespace, String name) {
        Services in = in(namespace);
        if (zone.options().imported()) {
            ImportFact service = in.imports.get(name);
            return service == null ? null : zone.names(owner, service, in.importedSlicesOf(name));
        }
        ServiceFact service = in.services.get(name);
        return service == null ? null : zone.names(owner, service, in.slicesOf(name));
    }

    private void moved() {
        int now = (int) clockSeconds.getAsLong();
        serial = now - serial > 0 ? now : serial + 1;
    }
}
