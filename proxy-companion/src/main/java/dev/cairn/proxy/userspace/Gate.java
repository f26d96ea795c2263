package dev.cairn.proxy.userspace;

import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.sync.ApplyFailure;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Leads packets to listeners. Used by one thread. */
interface Gate {
    /** Why this machine has no such gate, in one line; null if it has. Nothing is changed. */
    @Nullable String probe(List<Crossing> crossings);

    /**
     * Makes it so. The first time, and after a failure, what is there is replaced as a whole.
     *
     * @param changed services whose redirects may be others than at the last call that succeeded
     */
    void apply(List<Crossing> crossings, Map<ServiceName, List<Redirect>> redirects, Set<ServiceName> changed) throws ApplyFailure;

    /** What the first {@code apply} would give to the kernel's tool. */
    String render(List<Crossing> crossings, Map<ServiceName, List<Redirect>> redirects);

    /**
     * What differs in the kernel, one line each; the next {@code apply} replaces everything if something does.
     *
     * @param portsKnown whether redirects have the ports of listeners, which only the process knows that has them
     */
    List<String> audit(List<Crossing> crossings, Map<ServiceName, List<Redirect>> redirects, boolean portsKnown) throws ApplyFailure;

    /** Whether somebody else may have changed something; a cheap look. */
    default boolean isDisturbed() {
        return false;
    }

    /** Has {@code wake} called, by any thread, as soon as {@code isDisturbed} may say yes, until it is closed. */
    default void onDisturbance(Runnable wake) {}

    /** Ends what it has running; what is programmed stays. */
    default void close() {}

    /** Removes everything; what was removed, one line each. Where the tool is missing there is nothing. */
    List<String> cleanUp() throws ApplyFailure;
}
