package dev.cairn.explain;

import dev.cairn.facts.Address;
import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Fact;
import dev.cairn.facts.ImportFact;
import dev.cairn.facts.PodFact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the cluster has, as a source tells it. Told by the source's threads, asked by another; all under one lock. */
final class ClusterFacts implements ClusterListener {
    private final Map<Resource, Map<String, Fact>> facts = new EnumMap<>(Resource.class);
    private final Set<Resource> known = EnumSet.noneOf(Resource.class);

    @Override
    public synchronized void put(Fact fact) {
        facts.computeIfAbsent(fact.resource(), _ -> new TreeMap<>()).put(key(fact.namespace(), fact.name()), fact);
    }

    @Override
    public synchronized void remove(Resource resource, String namespace, String name) {
        facts.getOrDefault(resource, Map.of()).remove(key(namespace, name));
    }

    @Override
    public synchronized void synced(Resource resource) {
        known.add(resource);
    }

    /** Whether all of a kind has been told. */
    synchronized boolean knows(Resource resource) {
        return known.contains(resource);
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }

    private synchronized <T extends Fact> List<T> all(Resource resource, Class<T> type) {
        return facts.getOrDefault(resource, Map.of()).values().stream().map(type::cast).toList();
    }

    private synchronized @Nullable Fact find(Resource resource, String namespace, String name) {
        return facts.getOrDefault(resource, Map.of()).get(key(namespace, name));
    }

    List<String> namespaces() {
        return all(Resource.NAMESPACES, Fact.class).stream().map(Fact::name).toList();
    }

    boolean hasNamespace(String name) {
        return find(Resource.NAMESPACES, name, name) != null;
    }

    @Nullable ServiceFact service(String namespace, String name) {
        return (ServiceFact) find(Resource.SERVICES, namespace, name);
    }

    Stream<ServiceFact> services() {
        return all(Resource.SERVICES, ServiceFact.class).stream();
    }

    List<String> servicesIn(String namespace) {
        return services().filter(service -> service.namespace().equals(namespace)).map(ServiceFact::name).toList();
    }

    @Nullable ImportFact imported(String namespace, String name) {
        return (ImportFact) find(Resource.IMPORTS, namespace, name);
    }

    /** The slices of a service, in the order of their names. */
    List<SliceFact> slices(ServiceFact service) {
        return slices().filter(slice -> slice.namespace().equals(service.namespace()) && slice.service().equals(service.name())).toList();
    }

    /** The slices of the cluster's own services. */
    Stream<SliceFact> slices() {
        return all(Resource.SLICES, SliceFact.class).stream().filter(slice -> !slice.isImported());
    }

    @Nullable PodFact pod(String namespace, String name) {
        return (PodFact) find(Resource.PODS, namespace, name);
    }

    Stream<PodFact> pods() {
        return all(Resource.PODS, PodFact.class).stream();
    }

    /** The pods that have an address; those of the node's network last, since they share it. */
    List<PodFact> podsAt(Address address) {
        return pods().filter(pod -> pod.addresses().contains(address)).sorted(Comparator.comparing(PodFact::onHostNetwork)).toList();
    }
}
