package dev.cairn.proxy.sync;

import dev.cairn.facts.Resource;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.ServiceName;
import java.util.List;
import java.util.Set;

/** Hears how the loop is doing, for health and metrics. */
public interface SyncObserver {
    SyncObserver NONE = new SyncObserver() {};

    /**
     * Something was applied, or failed to be.
     *
     * @param full whether everything was looked at, and not only what changed
     * @param complete whether nothing that had come before is left
     * @param written how much it took in the kernel: rules, elements and the like
     * @param triggers when in the cluster the changes happened that led to it, in milliseconds, as far as known
     */
    record Applied(boolean success, boolean full, boolean complete, long nanos, long written, Set<ServiceName> changed,
            List<Long> triggers) {}

    /** A change has come. Any thread. */
    default void queued(Resource resource) {}

    /** What had come was applied, or failed to be. The loop's thread. */
    default void applied(Applied applied, ClusterModel model) {}

    /** The kernel was compared with what shall be. The loop's thread. */
    default void audited(Audit audit) {}

    /** The kernel could not be compared with what shall be. The loop's thread. */
    default void auditFailed() {}
}
