package dev.cairn.proxy.plan;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
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
    private final NodeView node;
    private final TrafficOptions options;
    private final Map<Frontend.Place, Entry> entries = new HashMap<>();
    private final Set<Address> clusterIps = new HashSet<>();
    private final Set<Integer> healthCheckPorts = new HashSet<>();

    private record Entry(ServicePlan service, PortPlan port, Frontend frontend) {}

    public PacketWalk(Collection<ServicePlan> plans, NodeView node, TrafficOptions options) {
        this.node = node;
        this.options = options;
        for (ServicePlan plan : plans) {
            healthCheckPorts.add(plan.healthCheckNodePort());
            for (PortPlan port : plan.ports()) {
                for (Frontend frontend : port.frontends()) {
                    entries.put(frontend.place(), new Entry(plan, port, frontend));
                    if (frontend.kind() == Frontend.Kind.CLUSTER_IP && frontend.place().address() != null) {
                        clusterIps.add(frontend.place().address());
                    }
                }
            }
        }
    }

    public Outcome walk(Packet packet) {
        IpFamily family = IpFamily.of(packet.to());
        List<String> why = new ArrayList<>();
        Entry entry = entries.get(new Frontend.Place(family, packet.to(), packet.protocol(), packet.port()));
        if (entry == null && isNodePortAddress(packet.to())) {
            entry = entries.get(new Frontend.Place(family, null, packet.protocol(), packet.port()));
        }
        if (entry == null) {
            return unknown(packet, why);
        }
        PortPlan port = entry.port();
        String name = port.name().isEmpty() ? "" : ", port \"" + port.name() + "\"";
        why.add(entry.frontend() + " of service " + entry.service().name() + name);
        if (port.isFiltered(entry.frontend()) && !isAllowed(port, packet)) {
            why.add(packet.from() + " is in none of loadBalancerSourceRanges " + port.sourceRanges());
            return new Outcome(Verdict.DROP, List.of(), false, why);
        }
        return entry.frontend().isExternal() ? external(entry, packet, why) : internal(entry, packet, why);
    }

    private Outcome internal(Entry entry, Packet packet, List<String> why) {
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

    private Outcome external(Entry entry, Packet packet, List<String> why) {
        PortPlan port = entry.port();
        if (!port.externalLocal()) {
            why.add("externalTrafficPolicy Cluster: any endpoint, masqueraded");
            return send(entry, port.sets().cluster(), packet, true, why);
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

    private static Outcome send(Entry entry, List<Endpoint> endpoints, Packet packet, boolean masquerade, List<String> why) {
        if (endpoints.isEmpty()) {
            boolean any = entry.port().sets().any();
            why.add(any ? "no endpoint on this node, but elsewhere: dropped, so that a load balancer tries another node"
                    : "no usable endpoint anywhere: rejected");
            return new Outcome(any ? Verdict.DROP : Verdict.REJECT, List.of(), false, why);
        }
        if (entry.port().affinitySeconds() > 0) {
            why.add("session affinity: the same endpoint for " + entry.port().affinitySeconds() + " s");
        }
        boolean hairpin = endpoints.stream().anyMatch(endpoint -> endpoint.address().equals(packet.from()));
        if (hairpin && !masquerade) {
            why.add("masqueraded when sent back to the client itself");
        }
        boolean alone = hairpin && endpoints.size() == 1;
        return new Outcome(Verdict.DNAT, endpoints.stream().sorted().toList(), masquerade || alone, why);
    }

    private Outcome unknown(Packet packet, List<String> why) {
        if (clusterIps.contains(packet.to()) && options.strict()) {
            why.add("no service has this port of cluster IP " + packet.to() + ": rejected");
            return new Outcome(Verdict.REJECT, List.of(), false, why);
        }
        for (AddressRange range : options.strict() ? options.serviceRanges() : List.<AddressRange>of()) {
            if (range.contains(packet.to())) {
                why.add("no service has " + packet.to() + " of service range " + range + ": dropped");
                return new Outcome(Verdict.DROP, List.of(), false, why);
            }
        }
        if (!options.strict() && node.has(packet.to()) && healthCheckPorts.contains(packet.port()) && packet.port() != 0) {
            why.add("health check node port: let in");
            return new Outcome(Verdict.ACCEPT, List.of(), false, why);
        }
        why.add("no service has " + packet.to() + " port " + packet.port() + "/" + packet.protocol());
        return new Outcome(Verdict.NONE, List.of(), false, why);
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
