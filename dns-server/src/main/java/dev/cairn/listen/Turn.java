package dev.cairn.listen;

import io.netty.channel.ChannelOutboundInvoker;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * The turn of an event loop: it reads from each connection that has sent something. Replies to all of them leave one after the other at its end, so that
 * who has several connections is woken once for them. Then, if there were several queries, the loop rests for a moment, in which the next ones come
 * together: woken by the first of them, it would make a segment for each few, which costs more than the answers. Owned by the event loop.
 */
final class Turn implements Runnable {
    /** With fewer, it may be one stub resolver that waits for the replies before it goes on. */
    private static final int SEVERAL = 3;

    /** With as many of each connection a segment costs little for each. */
    private static final int ENOUGH = 16;

    /** No reply waits for more queries than so many: a few tenths of a millisecond. */
    private static final int MOST_WAITING = 64;

    /** Linux adds up to 50 µs to this by its own rule for timers. */
    private static final long NANOS = 20_000;

    private static final FastThreadLocal<Turn> OF_LOOP = new FastThreadLocal<>() {
        @Override
        protected Turn initialValue() {
            return new Turn(LockSupport::parkNanos);
        }
    };

    private final LongConsumer sleep;
    private final List<ChannelOutboundInvoker> unsent = new ArrayList<>();
    private int waiting;
    private int queries;
    private int connections;

    Turn(LongConsumer sleep) {
        this.sleep = sleep;
    }

    /** That of the event loop which calls. */
    static Turn ofThisLoop() {
        return OF_LOOP.get();
    }

    /** Replies to so many queries, one at least, that a connection had sent at a time are written to it, but not flushed. */
    void answered(int count, ChannelOutboundInvoker connection, Executor loop) {
        if (connections == 0) {
            loop.execute(this); // after the other connections that have something to read
        }
        connections++;
        queries += count;
        waiting += count;
        unsent.add(connection);
        if (waiting >= MOST_WAITING) {
            send();
        }
    }

    /** To send may let a connection go on that had to wait for its client, and so add to the list. */
    private void send() {
        for (int i = 0; i < unsent.size(); i++) {
            unsent.get(i).flush();
        }
        unsent.clear();
        waiting = 0;
    }

    @Override
    public void run() {
        send();
        boolean due = queries >= SEVERAL && queries < ENOUGH * connections;
        queries = 0;
        connections = 0;
        if (due) {
            sleep.accept(NANOS);
        }
    }
}
