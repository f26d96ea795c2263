package dev.cairn.chain;

/**
 * Where the reply of an exchange goes that was answered later; called on the thread that resumed it, or at its deadline with a stand-in for
 * it. Called once for each exchange for which {@link Dispatcher#LATER} was returned, and such an exchange must not be used again, unless {@link #reuse} says so.
 */
public interface ReplySink {
    /** Sends the first {@code length} bytes of {@code reply}, which the caller uses again afterwards; 0 means that there is no reply. */
    void send(Exchange exchange, byte[] reply, int length);

    /** Takes back an exchange whose reply was sent, if nobody can look at it any more. */
    default void reuse(Exchange exchange) {}

    /** Whether replies may have more than one message, which the listener then gets by {@link Dispatcher#next} as the client takes them. */
    default boolean takesStreams() {
        return false;
    }
}
