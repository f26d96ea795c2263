package dev.cairn.proxy.plan;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointList;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.facts.TrafficFact;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Plans one service. A pure function of what it is given; any thread may call it. */
public final class Planner {
    private Planner() {}

    /** What to do for a service with these slices; null for one that has no address to serve. */
    public static @Nullable ServicePlan plan(ServiceFact service, Collection<SliceFact> slices, NodeView node) {
        if (service.kind() != ServiceFact.Kind.CLUSTER_IP || service.clusterIps().isEmpty()) {
            return null;
        }
        TrafficFact traffic = service.traffic() == null ? TrafficFact.PLAIN : service.traffic();
        List<PortPlan> ports = new ArrayList<>();
        int localReady = 0;
        for (IpFamily family : IpFamily.values()) {
            Address clusterIp = first(service.clusterIps(), family);
            Set<Address> ready = new HashSet<>();
            for (PortFact port : clusterIp == null ? List.<PortFact>of() : service.ports()) {
                List<EndpointState> states = states(slices, port.name(), port.protocol(), family, node.name());
                ports.add(port(service, traffic, port, family, states, node));
                states.stream().filter(state -> state.ready() && state.local()).forEach(state -> ready.add(state.endpoint().address()));
            }
            localReady = Math.max(localReady, ready.size());   // a pod with an address of each family is one
        }
        int healthCheck = traffic.type() == TrafficFact.Type.LOAD_BALANCER && traffic.externalLocal() ? traffic.healthCheckNodePort() : 0;
        return new ServicePlan(new ServiceName(service.namespace(), service.name()), ports, healthCheck, localReady,
                traffic.scheduler());
    }

    private static @Nullable Address first(List<Address> addresses, IpFamily family) {
        for (Address address : addresses) {
            if (IpFamily.of(address) == family) {
                return address;
            }
        }
        return null;
    }

    private static PortPlan port(
            ServiceFact service, TrafficFact traffic, PortFact port, IpFamily family, List<EndpointState> states, NodeView node) {
        List<Frontend> frontends = frontends(service, traffic, port, family);
        boolean external = frontends.stream().anyMatch(Frontend::isExternal);
        boolean externalLocal = traffic.externalLocal() && external;
        EndpointSets sets = EndpointSets.choose(
                states, new EndpointSets.Need(traffic.internalLocal(), externalLocal, external), node.name(), node.zone());
        List<AddressRange> ranges = sourceRanges(traffic.sourceRanges(), family);
        Address own = node.primary(family);
        boolean selfAllowed = own != null && ranges.stream().anyMatch(range -> range.contains(own));
        List<Endpoint> serving = port.protocol() == Protocol.TCP ? List.of()
                : states.stream().filter(EndpointState::serving).map(EndpointState::endpoint).toList();
        return new PortPlan(port.name(), port.protocol(), family, traffic.internalLocal(), externalLocal, traffic.affinitySeconds(), sets,
                frontends, ranges, selfAllowed, serving);
    }

    /** A load balancer's address comes before an external one, so that one that is both is filtered. */
    private static List<Frontend> frontends(ServiceFact service, TrafficFact traffic, PortFact port, IpFamily family) {
        Map<Frontend.Place, Frontend> frontends = new LinkedHashMap<>();
        Address clusterIp = first(service.clusterIps(), family);
        add(frontends, Frontend.Kind.CLUSTER_IP, clusterIp == null ? List.of() : List.of(clusterIp), port, family);
        add(frontends, Frontend.Kind.LOAD_BALANCER, traffic.balancerIps(), port, family);
        add(frontends, Frontend.Kind.EXTERNAL_IP, service.externalIps(), port, family);
        if (port.nodePort() != 0) {
            Frontend.Place place = new Frontend.Place(family, null, port.protocol(), port.nodePort());
            frontends.put(place, new Frontend(Frontend.Kind.NODE_PORT, place));
        }
        return List.copyOf(frontends.values());
    }

    private static void add(
            Map<Frontend.Place, Frontend> frontends, Frontend.Kind kind, List<Address> addresses, PortFact port, IpFamily family) {
        for (Address address : addresses) {
            if (IpFamily.of(address) == family) {
                Frontend.Place place = new Frontend.Place(family, address, port.protocol(), port.port());
                frontends.putIfAbsent(place, new Frontend(kind, place));
            }
        }
    }

    /** Those of the family; none if one stands for everybody. A range inside another adds nothing and is left out. */
    private static List<AddressRange> sourceRanges(List<String> texts, IpFamily family) {
        List<AddressRange> ranges = new ArrayList<>();
        for (String text : texts) {
            AddressRange range = parse(text.strip());
            if (range != null && range.family() == family) {
                ranges.add(range);
            }
        }
        if (ranges.stream().anyMatch(range -> range.prefix() == 0)) {
            return List.of();
        }
        return ranges.stream()
                .filter(range -> ranges.stream().noneMatch(other -> other.prefix() < range.prefix() && other.contains(range.first())))
                .distinct()
                .toList();
    }

    private static @Nullable AddressRange parse(String text) {
        try {
            return AddressRange.parse(text);
        } catch (IllegalArgumentException _) {
            return null;   // the API server refuses such a service
        }
    }

    /** The endpoints of a port in order. Of two at the same place, as when a pod's address is used again, the one that is not terminating counts. */
    static List<EndpointState> states(Collection<SliceFact> slices, String name, Protocol protocol, IpFamily family, String node) {
        Map<Endpoint, EndpointState> states = new TreeMap<>();
        for (SliceFact slice : slices) {
            for (PortFact target : slice.ports()) {
                if (target.protocol() == protocol && target.name().equals(name)) {
                    add(states, slice.endpoints(), target.port(), family, node);
                }
            }
        }
        return List.copyOf(states.values());
    }

    private static void add(Map<Endpoint, EndpointState> states, EndpointList endpoints, int port, IpFamily family, String node) {
        for (int i = 0; i < endpoints.size(); i++) {
            if (endpoints.isIpv4(i) == (family == IpFamily.IPV4) && !endpoints.isFurther(i)) {
                String own = endpoints.nodeName(i);
                EndpointState state = new EndpointState(new Endpoint(endpoints.address(i), port), endpoints.isReady(i), endpoints.isServing(i),
                        endpoints.isTerminating(i), !own.isEmpty() && own.equals(node), endpoints.hints(i));
                states.merge(state.endpoint(), state, (before, now) -> before.terminating() ? now : before);
            }
        }
    }
}
