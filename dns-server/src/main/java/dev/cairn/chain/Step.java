package dev.cairn.chain;

/** What a plugin decided about an exchange. */
public enum Step {
    /** Not mine: on to the plugin below. From an {@link AnswerHook}: down again from here, with what was changed in the query. */
    NEXT,
    /** The exchange's answer is what the client shall get: on to the hooks above. */
    ANSWERED,
    /**
     * The plugin keeps the exchange and will call {@link Exchange#resume} once, from any thread. If the exchange has a deadline, the plugin
     * need not go on after it: the client is told then, and a late resumption does nothing.
     */
    LATER,
    /** No reply at all. */
    DROPPED
}
