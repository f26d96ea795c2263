package dev.cairn.proxy.conntrack;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Protocol;
import dev.cairn.log.Log;
import dev.cairn.proxy.plan.Frontend;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.plan.StaleFlows;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Deletes flows of UDP, and of SCTP if it is wished, of services whose endpoints changed. */
public final class FlowCleaner {
    private static final Log LOG = Log.server();

    private final Set<IpFamily> families;
    private final Set<Protocol> protocols;
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

    /** Deletes the flows of these services that lead to where no endpoint serves; how many. A kernel that does not let us is named once. */
    public int clean(Collection<ServicePlan> changed) {
        List<ServicePlan> concerned = changed.stream()
                .filter(plan -> plan.ports().stream().anyMatch(port -> protocols.contains(port.protocol())))
                .toList();
        if (concerned.isEmpty()) {
            return 0;
        }
        StaleFlows stale = new StaleFlows(concerned, protocols);
        int deleted = 0;
        try (FlowTable table = new FlowTable()) {
            for (IpFamily family : families) {
                for (FlowTable.Entry entry : table.list(family, protocols)) {
                    if (stale.isStale(entry.flow())) {
                        table.delete(entry);
                        deleted++;
                    }
                }
            }
        } catch (IOException e) {
            if (!told) {
                told = true;
                LOG.warning("clients may go on sending to endpoints that are gone: the connection tracker cannot be cleaned (" + e.getMessage() + ")");
            }
        }
        return deleted;
    }
}
