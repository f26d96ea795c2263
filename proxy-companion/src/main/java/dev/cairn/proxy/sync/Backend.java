package dev.cairn.proxy.sync;

import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.plan.TrafficOptions;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Programs plans into the kernel. Used by one thread. It remembers what it has applied, and diffs against that alone; what others do to the
 * kernel meanwhile is found by {@code audit}, and soon by {@code isDisturbed} and {@code onDisturbance} where a backend has them.
 */
public interface Backend extends AutoCloseable {
    /**
     * What shall be.
     *
     * @param plans all plans, in the order of their names
     */
    record Desired(Map<ServiceName, ServicePlan> plans, NodeView node, TrafficOptions options) {}

    /** Begins to read what is in the kernel, so that the first {@code apply} need not wait for it; may be called once, before that. */
    default void readAhead() {}

    /**
     * Makes it so.
     *
     * @param changed services whose plan may be another than at the last call that succeeded; at the first call all are looked at
     * @throws ApplyFailure if nothing or not all could be applied; to be called again with these services
     */
    void apply(Desired desired, Set<ServiceName> changed) throws ApplyFailure;

    /** The exact input that {@code apply} would give to the kernel's tools at the first call, for a machine on which nothing is programmed. */
    String render(Desired desired);

    /**
     * Reads all that is in the kernel, and compares it with what shall be; changes nothing. If there is drift, the next {@code apply} looks
     * at everything, whatever it is told to have changed, and repairs it. May be the first call of all.
     */
    Audit audit(Desired desired) throws ApplyFailure;

    /**
     * Whether somebody else may have changed what is programmed since the last apply or audit: a cheap look, taken every second. True leads to an
     * audit. A backend that cannot look cheaply says no, and is audited now and then all the same.
     */
    default boolean isDisturbed() throws ApplyFailure {
        return false;
    }

    /** Has {@code wake} called, by any thread, as soon as {@code isDisturbed} may say yes. For backends that the kernel notifies. */
    default void onDisturbance(Runnable wake) {}

    /** The settings of the kernel that it needs, by their names below /proc/sys; set at the start, or before it by somebody with more rights. */
    default Map<String, String> sysctls() {
        return Map.of();
    }

    /**
     * Removes everything that it may ever have programmed, also by another process. Where there is nothing, or where the kernel or the tool for it
     * is missing, it does nothing.
     *
     * @return what was removed, one line each; for the log
     */
    List<String> cleanUp() throws ApplyFailure;

    /** How many rules, elements, servers or the like it has written or removed since it was made. For the thread that applies. */
    default long written() {
        return 0;
    }

    /** What it counts itself, in the text form of Prometheus. Any thread may ask. */
    default String metrics() {
        return "";
    }

    /** Whether it has the connection tracker follow its changes by itself. */
    default boolean cleansFlows() {
        return false;
    }

    /** Ends what it has running, such as listeners; what is programmed in the kernel stays, unless it is of no use without that. May be called again. */
    @Override
    default void close() {}
}
