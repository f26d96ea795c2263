package dev.cairn.chain;

import java.util.List;

/**
 * One element of a chain, shared by all threads. A plugin that only acts on the way back implements {@link AnswerHook} or
 * {@link FinishHook} beside this and leaves {@link #query} as it is.
 */
public interface Plugin {
    /** The name of the directive that made it. */
    String name();

    /** Looks at a query on its way down. Must not block: what takes time answers {@link Step#LATER}. */
    default Step query(Exchange exchange) {
        return Step.NEXT;
    }

    /** Whether an answer may be given to other clients, and later; false for one that is made for the client who asks. */
    default boolean cacheable() {
        return true;
    }

    /** Whether the plugin is shown messages that tell of changed zones (RFC 1996), see {@code QueryView.isNotify}; else they pass it by. */
    default boolean takesNotify() {
        return false;
    }

    /** The classes beside IN that the plugin answers; questions of other classes are refused before they reach the chain. */
    default List<Integer> otherClasses() {
        return List.of();
    }
}
