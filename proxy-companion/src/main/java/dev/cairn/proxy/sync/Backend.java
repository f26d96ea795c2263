package dev.cairn.proxy.sync;

import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.plan.TrafficOptions;
import java.util.Map;
import java.util.Set;

/** Programs plans into the kernel. Used by one thread. It remembers what it has applied, and diffs against that alone. */
public interface Backend {
    /**
     * What shall be.
     *
     * @param plans all plans, in the order of their names
     */
    record Desired(Map<ServiceName, ServicePlan> plans, NodeView node, TrafficOptions options) {}

    /**
     * Makes it so.
     *
     * @param changed services whose plan may be another than at the last call that succeeded; at the first call all are looked at
     * @throws ApplyFailure if nothing or not all could be applied; to be called again with these services
     */
    void apply(Desired desired, Set<ServiceName> changed) throws ApplyFailure;

    /** The exact input that {@code apply} would give to the kernel's tools at the first call, for a machine on which nothing is programmed. */
    String render(Desired desired);

    /** Removes everything that it may ever have programmed. */
    void cleanUp() throws ApplyFailure;
}
