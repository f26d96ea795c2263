package dev.cairn.proxy.plan;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Protocol;
import java.util.List;

/**
 * A port of a service in one family.
 *
 * @param name the port's name, empty if it has none
 * @param internalLocal whether traffic to the cluster IP stays on the node
 * @param externalLocal whether traffic from outside stays on the node
 * @param affinitySeconds 0 for none
 * @param sourceRanges who may use the load balancer's addresses; empty for everybody
 * @param selfAllowed whether a load balancer's address may be used from itself: the ranges cover the node, which may have it as its own
 * @param serving for UDP and SCTP, where flows outlive what they were made for, all endpoints that serve, whatever the policies say
 */
public record PortPlan(
        String name,
        Protocol protocol,
        IpFamily family,
        boolean internalLocal,
        boolean externalLocal,
        int affinitySeconds,
        EndpointSets sets,
        List<Frontend> frontends,
        List<AddressRange> sourceRanges,
        boolean selfAllowed,
        List<Endpoint> serving) {
    public PortPlan {
        frontends = List.copyOf(frontends);
        sourceRanges = List.copyOf(sourceRanges);
        serving = List.copyOf(serving);
    }

    public boolean isLocal(Frontend frontend) {
        return frontend.isExternal() ? externalLocal : internalLocal;
    }

    /** Where traffic goes that the policy holds for. */
    public List<Endpoint> endpoints(Frontend frontend) {
        return isLocal(frontend) ? sets.local() : sets.cluster();
    }

    /** Whether source ranges are to be looked at. */
    public boolean isFiltered(Frontend frontend) {
        return frontend.kind() == Frontend.Kind.LOAD_BALANCER && !sourceRanges.isEmpty();
    }

    PortPlan withFrontends(List<Frontend> others) {
        return new PortPlan(name, protocol, family, internalLocal, externalLocal, affinitySeconds, sets, others, sourceRanges, selfAllowed, serving);
    }

    /** The same with endpoints in another order. */
    public PortPlan withSets(EndpointSets others) {
        return new PortPlan(name, protocol, family, internalLocal, externalLocal, affinitySeconds, others, frontends, sourceRanges, selfAllowed, serving);
    }

    /** The same with others that serve. */
    public PortPlan withServing(List<Endpoint> others) {
        return new PortPlan(name, protocol, family, internalLocal, externalLocal, affinitySeconds, sets, frontends, sourceRanges, selfAllowed, others);
    }
}
