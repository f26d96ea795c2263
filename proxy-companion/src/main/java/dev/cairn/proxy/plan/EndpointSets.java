package dev.cairn.proxy.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The endpoints chosen for the port of a service.
 *
 * @param cluster for traffic that may go anywhere
 * @param local for traffic that must stay on this node
 * @param here all that are on this node, whether chosen or not: which of them are reached by themselves does not change with their readiness
 * @param any whether a usable endpoint exists at all, here or elsewhere: without one traffic is rejected, while what merely may not leave
 *     the node is dropped, so that a load balancer tries another node
 */
public record EndpointSets(List<Endpoint> cluster, List<Endpoint> local, List<Endpoint> here, boolean any) {
    public static final EndpointSets NONE = new EndpointSets(List.of(), List.of(), List.of(), false);

    /**
     * Which sets a port needs.
     *
     * @param internalLocal whether the policy for traffic inside the cluster is Local
     * @param externalLocal whether the policy for traffic from outside is Local
     * @param external whether it can be reached from outside at all
     */
    public record Need(boolean internalLocal, boolean externalLocal, boolean external) {
        /** Pods and the node go round the policy for outside traffic, so what is reachable from outside needs this set, too. */
        boolean cluster() {
            return !internalLocal || external;
        }

        boolean local() {
            return internalLocal || (externalLocal && external);
        }
    }

    public EndpointSets {
        cluster = List.copyOf(cluster);
        local = List.copyOf(local);
        here = List.copyOf(here);
    }

    /** Both sets together, in order. */
    public List<Endpoint> reachable() {
        TreeSet<Endpoint> all = new TreeSet<>(cluster);
        all.addAll(local);
        return List.copyOf(all);
    }

    /** Chooses by readiness, hints and policy. The sets fall back to terminating endpoints each on its own. */
    public static EndpointSets choose(List<EndpointState> endpoints, Need need, String node, String zone) {
        List<Endpoint> cluster = List.of();
        List<Endpoint> local = List.of();
        if (need.cluster()) {
            Predicate<EndpointState> near = topology(endpoints, node, zone);
            cluster = pick(endpoints, state -> state.ready() && near.test(state));
            if (cluster.isEmpty()) {
                cluster = pick(endpoints, EndpointState::isLastResort);
            }
        }
        if (need.local()) {
            local = pick(endpoints, state -> state.ready() && state.local());
            if (local.isEmpty()) {
                local = pick(endpoints, state -> state.isLastResort() && state.local());
            }
        }
        boolean any = endpoints.stream().anyMatch(state -> state.ready() || state.isLastResort());
        return new EndpointSets(cluster, local, pick(endpoints, EndpointState::local), any);
    }

    private static List<Endpoint> pick(List<EndpointState> endpoints, Predicate<EndpointState> which) {
        List<Endpoint> picked = new ArrayList<>();
        for (EndpointState state : endpoints) {
            if (which.test(state)) {
                picked.add(state.endpoint());
            }
        }
        return picked;
    }

    /** Hints count only if every ready endpoint has them and one is for us: else some would get no traffic, or we would have none. */
    private static Predicate<EndpointState> topology(List<EndpointState> endpoints, String node, String zone) {
        boolean byNode = true;
        boolean byZone = !zone.isEmpty();
        boolean onNode = false;
        boolean inZone = false;
        for (EndpointState state : endpoints) {
            if (state.ready()) {
                byNode &= !state.hints().nodes().isEmpty();
                byZone &= !state.hints().zones().isEmpty();
                onNode |= state.hints().nodes().contains(node);
                inZone |= state.hints().zones().contains(zone);
            }
        }
        if (byNode && onNode) {
            return state -> state.hints().nodes().contains(node);
        }
        return byZone && inZone ? state -> state.hints().zones().contains(zone) : _ -> true;
    }
}
