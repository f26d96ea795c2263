package dev.cairn.cluster.control;

import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.control.ClusterObject.FamilyPolicy;
import dev.cairn.cluster.control.ClusterObject.ImportObject;
import dev.cairn.cluster.control.ClusterObject.Meta;
import dev.cairn.cluster.control.ClusterObject.NamespaceObject;
import dev.cairn.cluster.control.ClusterObject.NodeObject;
import dev.cairn.cluster.control.ClusterObject.PodObject;
import dev.cairn.cluster.control.ClusterObject.Port;
import dev.cairn.cluster.control.ClusterObject.RangeObject;
import dev.cairn.cluster.control.ClusterObject.ServiceObject;
import dev.cairn.cluster.control.ClusterObject.ServiceType;
import dev.cairn.cluster.control.ClusterObject.SliceObject;
import dev.cairn.facts.Address;
import dev.cairn.facts.Fact;
import dev.cairn.facts.ImportFact;
import dev.cairn.facts.NamespaceFact;
import dev.cairn.facts.NodeFact;
import dev.cairn.facts.PodFact;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.RangeFact;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.facts.TrafficFact;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What API server and controllers make of objects: refuses some, gives addresses and ports, makes endpoints of pods. A pure function; holds
 * nothing between calls, and any thread may call it.
 */
public final class ControlPlane {
    private static final String NAME_LABEL = "kubernetes.io/metadata.name";
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed", "Unknown");

    private final ControlOptions options;
    private final WatchScope scope;

    /**
     * What came of the objects.
     *
     * @param facts what the scope asks for, at most one of a kind, namespace and name
     * @param allocations to be given to the next call, so that live services keep what they have
     */
    public record Outcome(List<Fact> facts, List<Problem> problems, Allocations allocations) {
        public Outcome {
            facts = List.copyOf(facts);
            problems = List.copyOf(problems);
        }
    }

    public ControlPlane(ControlOptions options, WatchScope scope) {
        this.options = options;
        this.scope = scope;
    }

    /** Takes the objects in the order in which a user would have applied them: of two that choose the same, the first gets it. */
    public Outcome reconcile(Collection<ClusterObject> objects, Allocations before) {
        return new Run(before).reconcile(objects);
    }

    /** One call; collects facts and problems. */
    private final class Run {
        private final Allocations before;
        private final List<Fact> facts = new ArrayList<>();
        private final List<Problem> problems = new ArrayList<>();
        private final Map<String, NamespaceObject> namespaces = new TreeMap<>();
        private final LinkedHashMap<String, ServiceObject> services = new LinkedHashMap<>();
        private final Map<String, SliceObject> slices = new LinkedHashMap<>();
        private final Map<String, PodObject> pods = new TreeMap<>();
        private final Map<String, ImportObject> imports = new LinkedHashMap<>();
        private final Map<String, String> zonesOfNodes = new HashMap<>();
        private final Map<String, NodeObject> nodes = new TreeMap<>();
        private final Map<String, RangeObject> ranges = new TreeMap<>();

        Run(Allocations before) {
            this.before = before;
        }

        private void problem(Meta meta, String text) {
            problems.add(new Problem(meta.origin(), text));
        }

        Outcome reconcile(Collection<ClusterObject> objects) {
            objects.forEach(this::sort);
            if (options.apiService() && !services.containsKey("default/kubernetes")) {
                services.putFirst("default/kubernetes", apiService());
            }
            addNamespaces();
            ServiceAddresses addresses = new ServiceAddresses(options, before, this::problem);
            NodePorts nodePorts = new NodePorts(options.nodePorts(), before);
            refuse(addresses.assign(List.copyOf(services.values())));
            refuse(nodePorts.assign(List.copyOf(services.values())));
            List<ServiceObject> accepted = List.copyOf(services.values());
            addresses.assignLoadBalancers(accepted, options.loadBalancerPool());
            for (ServiceObject service : accepted) {
                if (scope.objects().matches(service.meta().labels())) {
                    facts.add(fact(service, addresses, nodePorts));
                }
            }
            addSlices(addresses);
            addPodsAndImports();
            addNodesAndRanges();
            return new Outcome(facts, problems, allocations(addresses, nodePorts));
        }

        /** As with {@code kubectl apply}, of two objects with the same name the later is the one that stays. */
        private void sort(ClusterObject object) {
            switch (object) {
                case NamespaceObject namespace -> keep(namespaces, "Namespace", namespace);
                case ServiceObject service -> keep(services, "Service", service);
                case SliceObject slice -> keep(slices, "EndpointSlice", slice);
                case PodObject pod -> keep(pods, "Pod", pod);
                case ImportObject serviceImport -> keep(imports, "ServiceImport", serviceImport);
                case NodeObject node -> {
                    keep(nodes, "Node", node);
                    zonesOfNodes.put(node.meta().name(), node.zone());
                }
                case RangeObject range -> keep(ranges, "ServiceCIDR", range);
            }
        }

        private <T extends ClusterObject> void keep(Map<String, T> map, String kind, T object) {
            T earlier = map.put(object.meta().key(), object);
            if (earlier != null) {
                problem(earlier.meta(), kind + " \"" + earlier.meta().key() + "\" is there again at " + object.meta().origin()
                        + ", which counts instead");
            }
        }

        private void refuse(Map<ServiceObject, String> refused) {
            refused.forEach((service, why) -> {
                services.remove(service.meta().key());
                problem(service.meta(), "Service \"" + service.meta().name() + "\" is invalid: " + why);
            });
        }

        /** It has the first address, as in every cluster; where any may be chosen and somebody has chosen this one, it gets another. */
        private ServiceObject apiService() {
            String first = options.ranges().getFirst().at(0).toString();
            boolean chosen = !options.rangesConfigured() && services.values().stream().anyMatch(service -> service.clusterIps().contains(first));
            Meta meta = new Meta(new Origin("(built in)", 0), "default", "kubernetes",
                    Map.of("component", "apiserver", "provider", "kubernetes"));
            return new ServiceObject(meta, ServiceType.CLUSTER_IP, chosen ? List.of() : List.of(first), List.of(), FamilyPolicy.SINGLE, Map.of(),
                    List.of(new Port("https", Protocol.TCP, 443, "6443", 0)), "", List.of(), false, false, null, List.of(), List.of(),
                    TrafficFact.PLAIN);
        }

        /** Manifests without a single Namespace mean the namespaces that they name; others say themselves which there are. */
        private void addNamespaces() {
            Map<String, Map<String, String>> labels = new TreeMap<>();
            namespaces.forEach((name, namespace) -> labels.put(name, namespace.meta().labels()));
            Set<String> named = new TreeSet<>();
            for (Map<String, ? extends ClusterObject> kind : List.of(services, slices, pods, imports)) {
                kind.values().forEach(object -> named.add(object.meta().namespace()));
            }
            if (namespaces.isEmpty()) {
                named.forEach(name -> labels.put(name, Map.of()));
            }
            if (namespaces.isEmpty() || options.apiService()) {
                labels.putIfAbsent("default", Map.of());
            }
            for (Map<String, ? extends ClusterObject> kind : List.of(services, slices, pods, imports)) {
                kind.values().forEach(object -> warnOutside(object.meta(), labels.keySet(), named));
            }
            labels.forEach((name, own) -> {
                Map<String, String> all = new HashMap<>(own);
                all.put(NAME_LABEL, name);
                if (scope.namespaces().matches(all)) {
                    facts.add(new NamespaceFact(name));
                }
            });
        }

        /** Tells of each missing namespace once, at the first object that is in it. */
        private void warnOutside(Meta meta, Set<String> present, Set<String> untold) {
            if (!present.contains(meta.namespace()) && untold.remove(meta.namespace())) {
                problem(meta, "namespaces \"" + meta.namespace() + "\" not found: what is in it has no names until a Namespace is added");
            }
        }

        private ServiceFact fact(ServiceObject service, ServiceAddresses addresses, NodePorts nodePorts) {
            ServiceFact.Kind kind = service.type() == ServiceType.EXTERNAL_NAME ? ServiceFact.Kind.EXTERNAL_NAME
                    : service.isHeadless() ? ServiceFact.Kind.HEADLESS : ServiceFact.Kind.CLUSTER_IP;
            List<PortFact> ports = service.ports().stream()
                    .map(port -> new PortFact(port.name(), port.protocol(), port.port(), nodePorts.of(service, port)))
                    .toList();
            Address balancer = addresses.given().get(Allocations.loadBalancer(service.meta()));
            List<Address> ingress = balancer == null ? service.ingressIps() : List.of(balancer);
            return new ServiceFact(service.meta().namespace(), service.meta().name(), kind, addresses.of(service), ports,
                    service.externalName(), service.externalIps(), ingress, service.ingressHostnames(),
                    scope.hasTraffic(service.meta().labels()) ? traffic(service.traffic(), balancer) : null);
        }

        /** An address from the pool is one that the nodes serve. */
        private static TrafficFact traffic(TrafficFact given, @Nullable Address balancer) {
            return balancer == null ? given : new TrafficFact(given.type(), given.internalLocal(), given.externalLocal(),
                    given.affinitySeconds(), given.sourceRanges(), given.healthCheckNodePort(), List.of(balancer),
                    given.scheduler());
        }

        private void addSlices(ServiceAddresses addresses) {
            Set<String> given = new HashSet<>();
            // By the object that counts: of two Endpoints with one name, the later.
            Map<String, Origin> mirrored = new HashMap<>();
            for (SliceObject slice : slices.values()) {
                String service = slice.meta().namespace() + "/" + slice.service();
                if (slice.mirrored()) {
                    mirrored.put(service, slice.meta().origin());
                } else {
                    given.add(service);
                }
            }
            for (SliceObject slice : slices.values()) {
                String service = slice.meta().namespace() + "/" + slice.service();
                boolean counts = !slice.mirrored() || (services.containsKey(service) && !given.contains(service)
                        && slice.meta().origin().equals(mirrored.get(service)));
                if (counts && scope.objects().matches(slice.meta().labels())) {
                    addSlice(slice);
                }
            }
            if (scope.slices()) {
                given.addAll(mirrored.keySet());
                addSelected(addresses, given);
            }
        }

        private void addSlice(SliceObject slice) {
            if (scope.imports() && !slice.imported().isEmpty()) {
                if (slice.clusterId().isEmpty()) {
                    problem(slice.meta(), "EndpointSlice \"" + slice.meta().name() + "\" has no label"
                            + " multicluster.kubernetes.io/source-cluster: left out, since its cluster is not known");
                } else {
                    facts.add(fact(slice, slice.imported(), slice.clusterId()));
                }
            } else if (scope.slices() && !slice.service().isEmpty()) {
                facts.add(fact(slice, slice.service(), ""));
            }
        }

        private static SliceFact fact(SliceObject slice, String service, String clusterId) {
            return new SliceFact(slice.meta().namespace(), slice.meta().name(), service, clusterId, slice.ports(), slice.endpoints(),
                    slice.triggerMillis());
        }

        private void addSelected(ServiceAddresses addresses, Set<String> given) {
            SelectedEndpoints selected = new SelectedEndpoints(pods.values(), zonesOfNodes);
            for (ServiceObject service : services.values()) {
                Meta meta = service.meta();
                if (!service.selector().isEmpty() && !given.contains(meta.key()) && scope.objects().matches(meta.labels())) {
                    facts.addAll(selected.slices(service, addresses.families(service)));
                }
            }
        }

        private void addPodsAndImports() {
            for (PodObject pod : scope.pods() ? pods.values() : List.<PodObject>of()) {
                boolean lives = !pod.terminating() && !ENDED.contains(pod.phase());
                if (lives && !pod.addresses().isEmpty() && scope.objects().matches(pod.meta().labels())) {
                    Map<String, String> labels = scope.podLabels() ? pod.meta().labels() : Map.of();
                    facts.add(new PodFact(pod.meta().namespace(), pod.meta().name(), pod.addresses(), labels, pod.onHostNetwork(),
                            scope.podDns() ? pod.dns() : null));
                }
            }
            for (ImportObject object : scope.imports() ? imports.values() : List.<ImportObject>of()) {
                facts.add(new ImportFact(object.meta().namespace(), object.meta().name(), object.headless(), object.ips(), object.ports()));
            }
        }

        private void addNodesAndRanges() {
            NodeObject node = nodes.get(scope.node());
            if (node != null) {
                facts.add(new NodeFact(node.meta().name(), node.zone(), node.addresses(), node.podRanges(), node.leaving()));
            }
            for (RangeObject range : scope.traffic() ? ranges.values() : List.<RangeObject>of()) {
                facts.add(new RangeFact(range.meta().name(), range.ranges()));
            }
        }

        private Allocations allocations(ServiceAddresses addresses, NodePorts nodePorts) {
            return new Allocations(addresses.given(), nodePorts.given());
        }
    }
}
