package dev.cairn.proxy.nft;

import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.EndpointSets;
import dev.cairn.proxy.plan.PortPlan;
import dev.cairn.proxy.plan.ServicePlan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gives endpoints their numbers so that few change: who has one keeps it, and gaps are filled from the end. */
final class Slots {
    private Slots() {}

    /** The plan with its endpoints in the order of their numbers, given the plan that is committed. */
    static ServicePlan arrange(@Nullable ServicePlan committed, ServicePlan plan) {
        if (committed == null) {
            return plan;
        }
        List<PortPlan> ports = new ArrayList<>();
        for (PortPlan port : plan.ports()) {
            PortPlan before = same(committed, port);
            ports.add(before == null ? port : port.withSets(arrange(before.sets(), port.sets())));
        }
        return new ServicePlan(plan.name(), ports, plan.healthCheckNodePort(), plan.localReady(), plan.scheduler());
    }

    private static @Nullable PortPlan same(ServicePlan plan, PortPlan port) {
        for (PortPlan candidate : plan.ports()) {
            if (candidate.family() == port.family() && candidate.protocol() == port.protocol() && candidate.name().equals(port.name())) {
                return candidate;
            }
        }
        return null;
    }

    private static EndpointSets arrange(EndpointSets before, EndpointSets now) {
        return new EndpointSets(arrange(before.cluster(), now.cluster()), arrange(before.local(), now.local()), now.here(), now.any());
    }

    static List<Endpoint> arrange(List<Endpoint> before, List<Endpoint> now) {
        Set<Endpoint> homeless = new HashSet<>(now);
        List<@Nullable Endpoint> slots = new ArrayList<>();
        for (int i = 0; i < now.size(); i++) {
            Endpoint had = i < before.size() ? before.get(i) : null;
            slots.add(had != null && homeless.remove(had) ? had : null);
        }
        List<Endpoint> arranged = new ArrayList<>();
        int next = 0;
        for (Endpoint slot : slots) {
            if (slot != null) {
                arranged.add(slot);
                continue;
            }
            while (!homeless.contains(now.get(next))) {
                next++;
            }
            arranged.add(now.get(next++));
        }
        return arranged;
    }
}
