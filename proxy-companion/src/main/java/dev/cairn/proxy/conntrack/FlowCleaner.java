package dev.cairn.proxy.conntrack;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Protocol;
import dev.cairn.log.Log;
import dev.cairn.proxy.plan.Frontend;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.plan.StaleFlows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Deletes flows of UDP, and of SCTP if it is wished, of services whose endpoints changed. */
public final class FlowCleaner {
    private static final Log LOG = Log.server();

    private final Set<IpFamily> families;
    private final Set<Protocol> protocols;
    /** The services with flows as they were when those were last cleaned. */
    private final Map<ServiceName, ServicePlan> known = new HashMap<>();
    /** Services whose flows could not be cleaned yet. */
    private final Set<ServiceName> unfinished = new HashSet<>();
    private boolean told;

    public FlowCleaner(Set<IpFamily> families, boolean sctp) {
        this.families = Set.copyOf(families);
        protocols = sctp ? Set.of(Protocol.UDP, Protocol.SCTP) : Set.of(Protocol.UDP);
    }

    /** Deletes all flows to some places, whoever answers there. What cannot be deleted ends by itself, later. */
    public static void forget(Set<Frontend.Place> places) {
        if (places.isEmpty()) {
            return;
        }
        try (FlowTable table = new FlowTable()) {
            for (IpFamily family : IpFamily.values()) {
                for (FlowTable.Entry entry : table.list(family, EnumSet.allOf(Protocol.class))) {
                    StaleFlows.Flow flow = entry.flow();
                    if (places.contains(new Frontend.Place(family, flow.originalTo(), flow.protocol(), flow.originalPort()))) {
                        table.delete(entry);
                    }
                }
            }
        } catch (IOException e) {
            LOG.warning("connections by virtual servers that are gone will end late: the connection tracker cannot be cleaned ("
                    + e.getMessage() + ")");
        }
    }

    /**
     * Deletes the flows of services that changed or went, or of which some are left from an earlier time, that lead to where no endpoint serves or by a place
     * that is the service's no more; how many.
     *
     * @param plans all that are programmed
     */
    public int follow(Set<ServiceName> changed, Map<ServiceName, ServicePlan> plans) {
        Set<ServiceName> names = new HashSet<>(changed);
        names.addAll(unfinished);
        List<ServicePlan> before = new ArrayList<>();
        List<ServicePlan> now = new ArrayList<>();
        for (ServiceName name : names) {
            Optional.ofNullable(known.get(name)).ifPresent(before::add);
            Optional.ofNullable(plans.get(name)).filter(this::concerns).ifPresent(now::add);
        }
        unfinished.addAll(names);
        int deleted = clean(new StaleFlows(before, now, protocols));
        if (unfinished.isEmpty()) {
            before.forEach(plan -> known.remove(plan.name()));
            now.forEach(plan -> known.put(plan.name(), plan));
        }
        return deleted;
    }

    private boolean concerns(ServicePlan plan) {
        return plan.ports().stream().anyMatch(port -> protocols.contains(port.protocol()));
    }

    /** Deletes the flows of these services that lead to where no endpoint serves; how many. */
    public int clean(Collection<ServicePlan> changed) {
        return clean(new StaleFlows(List.of(), changed.stream().filter(this::concerns).toList(), protocols));
    }

    /** A kernel that does not let us is named once. */
    private int clean(StaleFlows stale) {
        int deleted = 0;
        if (stale.isEmpty()) {
            unfinished.clear();
            return deleted;
        }
        try (FlowTable table = new FlowTable()) {
            for (IpFamily family : families) {
                for (FlowTable.Entry entry : table.list(family, protocols)) {
                    if (stale.isStale(entry.flow())) {
                        table.delete(entry);
                        deleted++;
                    }
                }
            }
            unfinished.clear();
        } catch (IOException e) {
            if (!told) {
                told = true;
                LOG.warning("clients may go on sending to endpoints that are gone: the connection tracker cannot be cleaned (" + e.getMessage() + ")");
            }
        }
        return deleted;
    }
}
