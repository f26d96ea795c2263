package dev.cairn.plugin;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Protocol;
import java.net.InetSocketAddress;

/** A plugin that wants to see what is sent on to other servers, and what these reply. Those who forward find it among the block's plugins. */
public interface MessageTap {
    /**
     * A query was sent on, or its reply came. Called from any thread; never waits. The message is copied.
     *
     * @param reply whether the message is the reply
     * @param to the other server
     * @param over how it is talked to
     * @param sentNanos when the query was sent, in {@link System#nanoTime}
     */
    void forwarded(
            Exchange exchange, boolean reply, InetSocketAddress to, Protocol over, long sentNanos, byte[] message, int at, int length);
}
