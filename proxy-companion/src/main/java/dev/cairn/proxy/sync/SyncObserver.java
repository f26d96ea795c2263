package dev.cairn.proxy.sync;

import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.ServiceName;
import java.util.Set;

/** Hears how the loop is doing, for health and metrics. */
public interface SyncObserver {
    SyncObserver NONE = new SyncObserver() {};

    /** A change has come. Any thread. */
    default void queued() {}

    /** What had come was applied, or failed to be. The loop's thread. */
    default void applied(boolean success, long nanos, ClusterModel model, Set<ServiceName> changed) {}

    /** The kernel was compared with what shall be. The loop's thread. */
    default void audited(Audit audit) {}
}
