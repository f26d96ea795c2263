package dev.cairn.proxy.plan;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.plan.Outcome.Match;
import dev.cairn.proxy.plan.Outcome.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says what plans do with a packet, and why. Made for a set of plans; immutable after. */
public final class PacketWalk {
    private static final int MOST_LEFT_OUT = 10;

    private final NodeView node;
    private final TrafficOptions options;
    private final Map<Frontend.Place, Match> entries = new HashMap<>();
    private final Set<Address> clusterIps = new HashSet<>();
    private final Set<Integer> healthCheckPorts = new HashSet<>();

    /** All addresses of services that are not the node's own. */
    private final Set<Address> serviceAddresses = new HashSet<>();
    private final Carrier carrier;
    private final States states;

    /** Knows all endpoints of a port, whether they are chosen or not. */
    public interface States {
        List<EndpointState> of(ServiceName service, PortPlan port);
    }

    public PacketWalk(Collection<ServicePlan> plans, NodeView node, TrafficOptions options) {
        this(plans, node, options, Carrier.RULES, (_, _) -> List.of());
    }

    public PacketWalk(Collection<ServicePlan> plans, NodeView node, TrafficOptions options, Carrier carrier, States states) {
        this.node = node;
        this.options = options;
        this.carrier = carrier;
        this.states = states;
        for (ServicePlan plan : plans) {
            healthCheckPorts.add(plan.healthCheckNodePort());
            for (PortPlan port : plan.ports()) {
                for (Frontend frontend : port.frontends()) {
                    entries.put(frontend.place(), new Match(plan.name(), port, frontend));
                    Address address = frontend.place().address();
                    if (address != null && frontend.kind() == Frontend.Kind.CLUSTER_IP) {
                        clusterIps.add(address);
                    }
                    if (address != null && !node.has(address)) {
                        serviceAddresses.add(address);
                    }
                }
            }
        }
    }

    public Outcome walk(Packet packet) {
        IpFamily family = IpFamily.of(packet.to());
        List<String> why = new ArrayList<>();
        Match entry = entries.get(new Frontend.Place(family, packet.to(), packet.protocol(), packet.port()));
        if (entry == null && isNodePortAddress(packet.to())) {
            entry = entries.get(new Frontend.Place(family, null, packet.protocol(), packet.port()));
        }
        if (entry == null) {
            return unknown(packet, why);
        }
        PortPlan port = entry.port();
        String name = port.name().isEmpty() ? "" : ", port \"" + port.name() + "\"";
        why.add(entry.frontend() + " of service " + entry.service() + name);
        if (carrier == Carrier.RELAY && packet.protocol() == Protocol.SCTP) {
            why.add("mode userspace does not carry SCTP: rejected");
            return new Outcome(Verdict.REJECT, List.of(), false, why, entry);
        }
        if (port.isFiltered(entry.frontend()) && !isAllowed(port, packet)) {
            why.add(packet.from() + " is in none of loadBalancerSourceRanges " + port.sourceRanges());
            return new Outcome(Verdict.DROP, List.of(), false, why, entry);
        }
        return entry.frontend().isExternal() ? external(entry, packet, why) : internal(entry, packet, why);
    }

    private Outcome internal(Match entry, Packet packet, List<String> why) {
        boolean masquerade = options.masqueradeAll();
        if (masquerade) {
            why.add("all traffic to cluster IPs is masqueraded (--masquerade-all)");
        } else if (options.detector().works(entry.port().family()) && !options.detector().isLocal(packet)) {
            masquerade = true;
            why.add(packet.from() + " is no pod of this node's: masqueraded");
        }
        if (entry.port().internalLocal()) {
            why.add("internalTrafficPolicy Local: endpoints on this node only");
        }
        return send(entry, entry.port().endpoints(entry.frontend()), packet, masquerade, why);
    }

    private Outcome external(Match entry, Packet packet, List<String> why) {
        PortPlan port = entry.port();
        if (!port.externalLocal()) {
            why.add("externalTrafficPolicy Cluster: any endpoint, masqueraded");
            return send(entry, port.sets().cluster(), packet, true, why);
        }
        if (carrier == Carrier.VIRTUAL_SERVERS && !port.sets().local().isEmpty()) {
            why.add("externalTrafficPolicy Local, and a virtual server cannot tell who asks: endpoints on this node only, whoever it is");
            return send(entry, port.sets().local(), packet, node.has(packet.from()), why);
        }
        if (options.detector().works(port.family()) && options.detector().isLocal(packet)) {
            why.add("externalTrafficPolicy Local does not hold for pods: any endpoint");
            return send(entry, port.sets().cluster(), packet, false, why);
        }
        if (node.has(packet.from())) {
            why.add("externalTrafficPolicy Local does not hold for the node itself: any endpoint, masqueraded");
            return send(entry, port.sets().cluster(), packet, true, why);
        }
        why.add("externalTrafficPolicy Local: endpoints on this node only, source address kept");
        return send(entry, port.sets().local(), packet, false, why);
    }

    private Outcome send(Match entry, List<Endpoint> endpoints, Packet packet, boolean wished, List<String> why) {
        boolean masquerade = wished || carrier == Carrier.RELAY;
        if (masquerade && !wished) {
            why.add("mode userspace sends on by itself: endpoints see the node");
        }
        leftOut(entry, endpoints, why);
        if (endpoints.isEmpty()) {
            boolean any = entry.port().sets().any();
            why.add(any ? "no endpoint on this node, but elsewhere: dropped, so that a load balancer tries another node"
                    : "no usable endpoint anywhere: rejected");
            return new Outcome(any ? Verdict.DROP : Verdict.REJECT, List.of(), false, why, entry);
        }
        if (entry.port().affinitySeconds() > 0) {
            why.add("session affinity: the same endpoint for " + entry.port().affinitySeconds() + " s");
        }
        boolean hairpin = endpoints.stream().anyMatch(endpoint -> endpoint.address().equals(packet.from()));
        if (hairpin && !masquerade) {
            why.add("masqueraded when sent back to the client itself");
        }
        boolean alone = hairpin && endpoints.size() == 1;
        return new Outcome(Verdict.DNAT, endpoints.stream().sorted().toList(), masquerade || alone, why, entry);
    }

    /** Says of endpoints that are not used why they are not, of some of them if there are many. */
    private void leftOut(Match entry, List<Endpoint> used, List<String> why) {
        List<EndpointState> others = states.of(entry.service(), entry.port()).stream().filter(state -> !used.contains(state.endpoint())).toList();
        boolean local = !used.isEmpty() ? used.equals(entry.port().sets().local()) && !used.equals(entry.port().sets().cluster())
                : entry.port().isLocal(entry.frontend());
        others.stream().limit(MOST_LEFT_OUT).forEach(state -> why.add(state.endpoint() + " is left out: " + reason(state, local)));
        if (others.size() > MOST_LEFT_OUT) {
            why.add("and " + (others.size() - MOST_LEFT_OUT) + " more are left out");
        }
    }

    private static String reason(EndpointState state, boolean local) {
        if (!state.ready()) {
            return state.terminating() ? "it is terminating" : "it is not ready";
        }
        return local && !state.local() ? "it is on another node" : "it is meant for other zones or nodes by its hints";
    }

    private Outcome unknown(Packet packet, List<String> why) {
        if (carrier == Carrier.VIRTUAL_SERVERS && serviceAddresses.contains(packet.to())) {
            why.add("no service has this port of " + packet.to() + ", which is an address of services: rejected");
            return new Outcome(Verdict.REJECT, List.of(), false, why, null);
        }
        if (clusterIps.contains(packet.to()) && options.strict()) {
            why.add("no service has this port of cluster IP " + packet.to() + ": rejected");
            return new Outcome(Verdict.REJECT, List.of(), false, why, null);
        }
        for (AddressRange range : options.strict() ? options.serviceRanges() : List.<AddressRange>of()) {
            if (range.contains(packet.to())) {
                why.add("no service has " + packet.to() + " of service range " + range + ": dropped");
                return new Outcome(Verdict.DROP, List.of(), false, why, null);
            }
        }
        if (!options.strict() && node.has(packet.to()) && healthCheckPorts.contains(packet.port()) && packet.port() != 0) {
            why.add("health check node port: let in");
            return new Outcome(Verdict.ACCEPT, List.of(), false, why, null);
        }
        why.add("no service has " + packet.to() + " port " + packet.port() + "/" + packet.protocol());
        return new Outcome(Verdict.NONE, List.of(), false, why, null);
    }

    private static boolean isAllowed(PortPlan port, Packet packet) {
        return port.sourceRanges().stream().anyMatch(range -> range.contains(packet.from()))
                || (port.selfAllowed() && packet.from().equals(packet.to()));
    }

    private boolean isNodePortAddress(Address address) {
        @Nullable List<Address> chosen = options.nodePortAddresses().of(IpFamily.of(address), node);
        if (NodeView.isLoopback(address)) {
            return options.hasLocalhostNodePorts() && address.isIpv4();
        }
        return chosen == null ? node.has(address) : chosen.contains(address);
    }
}
