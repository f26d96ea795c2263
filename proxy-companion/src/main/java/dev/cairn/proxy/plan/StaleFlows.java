package dev.cairn.proxy.plan;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tells flows in the connection tracker that lead to where no endpoint is any more. Of UDP: a client that goes on sending keeps such a
 * flow alive for ever, while TCP ends it by itself. Of SCTP, too, if it is wished, whose heartbeats do the same. Made for a set of plans; immutable after.
 */
public final class StaleFlows {
    private final Set<Protocol> protocols;
    private final Map<Frontend.Place, Set<Endpoint>> serving = new HashMap<>();
    /** Places that no service of these has any more, and who served there. */
    private final Map<Frontend.Place, Set<Endpoint>> gone = new HashMap<>();

    /** A flow: where the client sent to, and who answers. */
    public record Flow(Protocol protocol, Address originalTo, int originalPort, Endpoint answers) {}

    /** By plans as they were and as they are now. */
    public StaleFlows(Collection<ServicePlan> before, Collection<ServicePlan> now, Set<Protocol> protocols) {
        this.protocols = Set.copyOf(protocols);
        collect(now, serving);
        collect(before, gone);
        gone.keySet().removeAll(serving.keySet());
    }

    private void collect(Collection<ServicePlan> plans, Map<Frontend.Place, Set<Endpoint>> places) {
        for (ServicePlan plan : plans) {
            for (PortPlan port : plan.ports()) {
                if (protocols.contains(port.protocol())) {
                    Set<Endpoint> those = new HashSet<>(port.serving());
                    port.frontends().forEach(frontend -> places.put(frontend.place(), those));
                }
            }
        }
    }

    /** Whether no flow can be stale. */
    public boolean isEmpty() {
        return serving.isEmpty() && gone.isEmpty();
    }

    public boolean isStale(Flow flow) {
        if (!protocols.contains(flow.protocol())) {
            return false;
        }
        IpFamily family = IpFamily.of(flow.originalTo());
        Frontend.Place place = new Frontend.Place(family, flow.originalTo(), flow.protocol(), flow.originalPort());
        Set<Endpoint> own = serving.get(place);
        if (own != null) {
            return !own.contains(flow.answers());
        }
        // What was sent on to nobody else is no node port's flow but one of a process that has the port, here or somewhere outside.
        if (flow.answers().equals(new Endpoint(flow.originalTo(), flow.originalPort()))) {
            return false;
        }
        Frontend.Place nodePort = new Frontend.Place(family, null, flow.protocol(), flow.originalPort());
        if (gone.getOrDefault(place, Set.of()).contains(flow.answers()) || gone.getOrDefault(nodePort, Set.of()).contains(flow.answers())) {
            return true;
        }
        // A node port without endpoints may as well be a port that a process of the node has.
        Set<Endpoint> atNode = serving.get(nodePort);
        return atNode != null && !atNode.isEmpty() && !atNode.contains(flow.answers());
    }
}
