package dev.cairn.zone;

import dev.cairn.facts.Address;
import dev.cairn.facts.ClusterListener;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the cluster, and the zones made of it. Written by the source's thread and by those that attach zones, under one lock;
 * readers of zones never take it.
 */
public final class ClusterStore implements ClusterListener {
    private final LongSupplier clockSeconds;
    private final Map<String, NamespaceFacts> namespaces = new TreeMap<>();
    private final Set<String> existing = new HashSet<>();
    private final PodIndex pods = new PodIndex();
    private final List<Attached> zones = new CopyOnWriteArrayList<>();
    private final List<ServiceWatcher> watchers = new CopyOnWriteArrayList<>();
    private final Set<Resource> missing;
    private volatile boolean synced;
    private volatile int serial;

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

    /** Moves with every change of what names stand for (RFC 1982 arithmetic): the time of the last one, or one more than before. */
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
        namespaces.forEach((namespace, in) -> List.copyOf(in.services().keySet()).forEach(name -> tell(watcher, namespace, name)));
        watchers.add(watcher);
    }

    public void unwatch(ServiceWatcher watcher) {
        watchers.remove(watcher);
    }

    private void tell(ServiceWatcher watcher, String namespace, String name) {
        NamespaceFacts in = in(namespace);
        watcher.service(namespace, name, in.services().get(name), List.of(in.slicesOf(name)));
    }

    private static Collection<String> names(NamespaceFacts in, ZoneOptions options) {
        return List.copyOf(options.imported() ? in.imports().keySet() : in.services().keySet());
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
         * The names in {@code zone} under which services make a server at these addresses known, with the addresses that go with them: a cluster IP's
         * service with its cluster IPs, a headless one's endpoint with its own. Costs what is at these addresses.
         */
        public Map<WireName, Set<Address>> namesOf(Set<Address> addresses, ClusterZone zone) {
            Map<WireName, Set<Address>> names = new LinkedHashMap<>();
            for (ServiceName service : servicesAt(addresses)) {
                ServiceNames made = zone.service(service.namespace(), service.name());
                ServiceShape shape = made == null ? null : made.shape();
                boolean leadsThere = shape != null && addresses.stream().anyMatch(shape::hasEndpoint);
                if (shape != null && leadsThere && !shape.headless()) {
                    names.put(shape.owner(), new LinkedHashSet<>(shape.ips()));
                } else if (shape != null && leadsThere) {
                    addresses.forEach(address -> shape.names(address)
                            .forEach(name -> names.computeIfAbsent(name, _ -> new LinkedHashSet<>()).add(address)));
                }
            }
            return names;
        }

        /** The services that have one of the addresses, their own or a ready endpoint's, in order. */
        private SequencedSet<ServiceName> servicesAt(Set<Address> addresses) {
            SortedSet<ServiceName> services = new TreeSet<>(Comparator.comparing(ServiceName::namespace).thenComparing(ServiceName::name));
            PointerIndex pointers = attached.pointers;
            if (pointers == null) {
                return services;
            }
            for (Address address : addresses) {
                for (ServiceSlot slot : pointers.servicesAt(address)) {
                    String[] labels = slot.owner().toString().split("\\.", 3);
                    services.add(new ServiceName(labels[1], labels[0]));
                }
            }
            return services;
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
        NamespaceFacts in = in(service.namespace());
        if (zone.options().imported()) {
            ImportFact known = in.imports().get(service.name());
            return known == null ? List.of() : zone.transferred(known, in.importedSlicesOf(service.name()));
        }
        ServiceFact known = in.services().get(service.name());
        return known == null ? List.of() : zone.transferred(known, in.slicesOf(service.name()));
    }

    /** The kind of a service, null if there is none of that name. */
    public synchronized ServiceFact.@Nullable Kind kindOf(String namespace, String name) {
        ServiceFact service = in(namespace).services().get(name);
        return service == null ? null : service.kind();
    }

    /** The pods that have an address. */
    public Set<PodFact> podsWith(Address address) {
        return pods.with(address);
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
                if (!addNamespace(name)) {
                    return;
                }
            }
            case ServiceFact service -> {
                made(service.namespace()).services().put(service.name(), service);
                changed(service.namespace(), service.name());
            }
            case ImportFact service -> {
                made(service.namespace()).imports().put(service.name(), service);
                changed(service.namespace(), service.name());
            }
            case SliceFact slice -> {
                SliceFact moved = made(slice.namespace()).put(slice);
                if (moved != null) {
                    changed(moved.namespace(), moved.service());
                }
                changed(slice.namespace(), slice.service());
            }
            case PodFact pod -> {
                if (!pods.put(pod)) {
                    return;
                }
            }
            case NodeFact _, RangeFact _ -> {
                return;   // have no names
            }
        }
        moved();
    }

    /** Lets a namespace exist; whether it is new. */
    private boolean addNamespace(String name) {
        if (!existing.add(name)) {
            return false;
        }
        watchers.forEach(watcher -> watcher.namespace(name, true));
        for (Attached zone : zones) {
            zone.zone.addNamespace(name);
            point(zone, name, true);
        }
        return true;
    }

    /** Lets a namespace exist no more; whether it did. */
    private boolean removeNamespace(String name) {
        if (!existing.remove(name)) {
            return false;
        }
        watchers.forEach(watcher -> watcher.namespace(name, false));
        for (Attached zone : zones) {
            zone.zone.removeNamespace(name);
            point(zone, name, false);
        }
        return true;
    }

    /** Addresses of a namespace that does not exist have no names, as the names themselves do not exist. */
    private void point(Attached zone, String namespace, boolean exists) {
        if (zone.pointers == null || !zone.zone.options().tells(namespace)) {
            return;
        }
        for (String name : names(in(namespace), zone.zone.options())) {
            ServiceSlot slot = zone.zone.slot(namespace, name);
            ServiceShape shape = slot == null ? null : shape(slot.names());
            if (slot != null && shape != null) {
                zone.pointers.changed(slot, exists ? null : shape, exists ? shape : null);
            }
        }
    }

    private static @Nullable ServiceShape shape(@Nullable ServiceNames names) {
        return names == null ? null : names.shape();
    }

    @Override
    public synchronized void remove(Resource resource, String namespace, String name) {
        switch (resource) {
            case NAMESPACES -> {
                if (!removeNamespace(name)) {
                    return;
                }
            }
            case SERVICES -> {
                in(namespace).services().remove(name);
                changed(namespace, name);
            }
            case IMPORTS -> {
                in(namespace).imports().remove(name);
                changed(namespace, name);
            }
            case SLICES -> {
                SliceFact slice = in(namespace).removeSlice(name);
                if (slice != null) {
                    changed(slice.namespace(), slice.service());
                }
            }
            case PODS -> {
                if (!pods.remove(namespace, name)) {
                    return;
                }
            }
            case NODES, SERVICE_RANGES -> {
                return;
            }
        }
        forgetIfEmpty(resource == Resource.NAMESPACES ? name : namespace);
        moved();
    }

    @Override
    public synchronized void synced(Resource resource) {
        missing.remove(resource);
        synced = missing.isEmpty();
        notifyAll();
    }

    /** Waits until everything that was wanted has been told once; whether it has been in time. */
    public synchronized boolean awaitSynced(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        for (long left = atMost.toMillis(); !synced && left > 0; left = (deadline - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        return synced;
    }

    /** What is known of a namespace; not to be added to. */
    private NamespaceFacts in(String namespace) {
        return namespaces.getOrDefault(namespace, NamespaceFacts.NONE);
    }

    private NamespaceFacts made(String namespace) {
        return namespaces.computeIfAbsent(namespace, _ -> new NamespaceFacts());
    }

    /** Namespaces come and go without end in some clusters; nothing stays of those that went. */
    private void forgetIfEmpty(String namespace) {
        if (in(namespace).isEmpty() && !existing.contains(namespace)) {
            namespaces.remove(namespace);
            zones.forEach(zone -> zone.zone.forgetNamespace(namespace));
        }
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
        ServiceSlot slot = zone.zone.options().tells(namespace) ? zone.zone.slot(namespace, name) : null;
        if (slot == null) {
            return;
        }
        ServiceNames before = slot.names();
        ServiceNames names = names(zone.zone, slot.owner(), namespace, name);
        slot.names(names);
        if (zone.pointers != null && existing.contains(namespace)) {
            zone.pointers.changed(slot, shape(before), shape(names));
        }
    }

    private @Nullable ServiceNames names(ClusterZone zone, WireName owner, String namespace, String name) {
        NamespaceFacts in = in(namespace);
        if (zone.options().imported()) {
            ImportFact service = in.imports().get(name);
            return service == null ? null : zone.names(owner, service, in.importedSlicesOf(name));
        }
        ServiceFact service = in.services().get(name);
        return service == null ? null : zone.names(owner, service, in.slicesOf(name));
    }

    private void moved() {
        int now = (int) clockSeconds.getAsLong();
        serial = now - serial > 0 ? now : serial + 1;
    }

    /** How many namespaces are held. */
    synchronized int heldNamespaces() {
        return namespaces.size();
    }
}
