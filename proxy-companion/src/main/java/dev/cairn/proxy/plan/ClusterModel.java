package dev.cairn.proxy.plan;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.facts.Address;
import dev.cairn.facts.Fact;
import dev.cairn.facts.NodeFact;
import dev.cairn.facts.RangeFact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The facts that plans are made of, and the plans. Owned by one thread. A change plans its own service again and no other, but for one that
 * gains or loses a frontend by it: of two services that want the same address and port, the first by name has it.
 */
public final class ClusterModel {
    private final String nodeName;
    private final @Nullable Address chosen;
    private final Consumer<String> log;
    private final Map<ServiceName, ServiceFact> services = new HashMap<>();
    private final Map<ServiceName, Map<String, SliceFact>> slices = new HashMap<>();
    private final Map<String, ServiceName> serviceOfSlice = new HashMap<>();
    private final Map<String, RangeFact> ranges = new TreeMap<>();
    private final Map<ServiceName, ServicePlan> plans = new TreeMap<>();
    private final Claims claims = new Claims();
    /** Services to be planned again: those not looked at since they changed, and those that were. */
    private final Set<ServiceName> fresh = new TreeSet<>();
    private final Set<ServiceName> touched = new TreeSet<>();
    private NodeView node;
    private boolean leaving;

    /** Makes an empty model for a node; {@code log} is told of services that are in each other's way. */
    public ClusterModel(NodeView node, Consumer<String> log) {
        this(node, null, log);
    }

    /** The same for a node that is known by a chosen address, whatever its object says. */
    public ClusterModel(NodeView node, @Nullable Address chosen, Consumer<String> log) {
        this.node = chosen == null ? node : node.knownBy(chosen);
        this.chosen = chosen;
        this.nodeName = node.name();
        this.log = log;
    }

    public void put(Fact fact) {
        switch (fact) {
            case ServiceFact service -> {
                ServiceName name = new ServiceName(service.namespace(), service.name());
                services.put(name, service);
                fresh.add(name);
            }
            case SliceFact slice -> {
                removeSlice(slice.namespace(), slice.name());
                ServiceName name = new ServiceName(slice.namespace(), slice.service());
                serviceOfSlice.put(slice.namespace() + "/" + slice.name(), name);
                slices.computeIfAbsent(name, _ -> new TreeMap<>()).put(slice.name(), slice);
                fresh.add(name);
            }
            case NodeFact own -> node(own);
            case RangeFact range -> ranges.put(range.name(), range);
            default -> {}   // no part in traffic
        }
    }

    public void remove(Resource resource, String namespace, String name) {
        switch (resource) {
            case SERVICES -> {
                ServiceName service = new ServiceName(namespace, name);
                services.remove(service);
                fresh.add(service);
            }
            case SLICES -> removeSlice(namespace, name);
            case SERVICE_RANGES -> ranges.remove(name);
            default -> {}   // a node that is gone keeps its last plan; there is nobody to plan for
        }
    }

    private void removeSlice(String namespace, String name) {
        ServiceName service = serviceOfSlice.remove(namespace + "/" + name);
        if (service != null) {
            slices.computeIfPresent(service, (_, those) -> {
                those.remove(name);
                return those.isEmpty() ? null : those;
            });
            fresh.add(service);
        }
    }

    private void node(NodeFact own) {
        if (!own.name().equals(nodeName)) {
            return;
        }
        leaving = own.leaving();
        List<AddressRange> podRanges = own.podRanges().stream().map(AddressRange::parse).toList();
        NodeView now = new NodeView(nodeName, own.zone(), own.addresses().isEmpty() ? node.addresses() : own.addresses(), node.interfaces(), podRanges);
        now = chosen == null ? now : now.knownBy(chosen);
        if (!now.equals(node)) {
            node = now;
            fresh.addAll(services.keySet());
        }
    }

    /** The interfaces of the node have these addresses now. Plans do not depend on them; where node ports are found does. */
    public void interfaces(List<Address> addresses) {
        node = node.withInterfaces(addresses);
    }

    public NodeView node() {
        return node;
    }

    /** All endpoints of a port, whether they are chosen or not. */
    public List<EndpointState> states(ServiceName service, PortPlan port) {
        return Planner.states(slices.getOrDefault(service, Map.of()).values(), port.name(), port.protocol(), port.family(), nodeName);
    }

    /** Whether the node is about to be taken away. */
    public boolean isLeaving() {
        return leaving;
    }

    /** The known ranges of cluster IPs. */
    public List<AddressRange> serviceRanges() {
        List<AddressRange> all = new ArrayList<>();
        ranges.values().forEach(range -> range.ranges().forEach(text -> all.add(AddressRange.parse(text))));
        return all;
    }

    /** All plans in the order of their names. A view of what is now. */
    public Map<ServiceName, ServicePlan> plans() {
        return plans;
    }

    /** Plans what was touched since the last call; the names of services whose plan is another now, or gone. */
    public Set<ServiceName> replan() {
        touched.addAll(fresh);
        fresh.clear();
        Set<ServiceName> changed = new TreeSet<>();
        while (!touched.isEmpty()) {
            List<ServiceName> now = List.copyOf(touched);
            touched.clear();
            for (ServiceName name : now) {
                if (replan(name)) {
                    changed.add(name);
                }
            }
        }
        return changed;
    }

    /**
     * Plans of what was touched since the last call only those services that lose endpoints, and leaves the others for {@code replan}; the
     * names of those whose plan is another now, or gone.
     */
    public Set<ServiceName> replanLosing() {
        Set<ServiceName> changed = new TreeSet<>();
        for (ServiceName name : List.copyOf(fresh)) {
            ServicePlan before = plans.get(name);
            if (before != null && before.loses(planned(name))) {
                if (replan(name)) {
                    changed.add(name);
                }
            } else {
                touched.add(name);
            }
        }
        fresh.clear();
        return changed;
    }

    /** Whether something is to be planned again. */
    public boolean isTouched() {
        return !fresh.isEmpty() || !touched.isEmpty();
    }

    private @Nullable ServicePlan planned(ServiceName name) {
        ServiceFact service = services.get(name);
        return service == null ? null : Planner.plan(service, slices.getOrDefault(name, Map.of()).values(), node);
    }

    private boolean replan(ServiceName name) {
        ServicePlan plan = planned(name);
        Claims.Result result = claims.claim(name, plan);
        touched.addAll(result.others());
        result.lost().forEach((place, owner) -> log.accept("service " + name + " cannot have " + place + ", which service " + owner
                + " has: give one of them another address or port"));
        ServicePlan own = plan == null ? null : without(plan, result.lost().keySet());
        @Nullable ServicePlan before = own == null ? plans.remove(name) : plans.put(name, own);
        return own == null ? before != null : !own.equals(before);
    }

    private static ServicePlan without(ServicePlan plan, Set<Frontend.Place> lost) {
        if (lost.isEmpty()) {
            return plan;
        }
        List<PortPlan> ports = new ArrayList<>();
        for (PortPlan port : plan.ports()) {
            ports.add(port.withFrontends(port.frontends().stream().filter(frontend -> !lost.contains(frontend.place())).toList()));
        }
        return new ServicePlan(plan.name(), ports, plan.healthCheckNodePort(), plan.localReady(), plan.scheduler());
    }
}
