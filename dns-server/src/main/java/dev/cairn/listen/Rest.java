package dev.cairn.listen;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Lets an event loop rest for a moment once it has answered all that had come, if that was several queries: the next ones then come together and are
 * answered together. Woken by the first of them, the loop would make a segment for each few, which costs more than the answers. Nobody's reply is held
 * back for it. Owned by the event loop.
 */
final class Rest implements Runnable {
    /** With fewer, it may be one stub resolver that waits for the replies before it goes on. */
    private static final int SEVERAL = 3;

    /** With as many of each connection a segment costs little for each. */
    private static final int ENOUGH = 16;

    /** Linux adds up to 50 µs to this by its own rule for timers. */
    private static final long NANOS = 20_000;

    private static final FastThreadLocal<Rest> OF_LOOP = new FastThreadLocal<>() {
        @Override
        protected Rest initialValue() {
            return new Rest(LockSupport::parkNanos);
        }
    };

    private final LongConsumer sleep;
    private int queries;
    private int connections;

    Rest(LongConsumer sleep) {
        this.sleep = sleep;
    }

    /** That of the event loop which calls. */
    static Rest ofThisLoop() {
        return OF_LOOP.get();
    }

    /** A connection has had replies to so many queries that it sent at a time. */
    void afterAnswering(int queries, Executor loop) {
        if (queries == 0) {
            return;
        }
        if (connections == 0) {
            loop.execute(this); // after the other connections that have something to read
        }
        connections++;
        this.queries += queries;
    }

    @Override
    public void run() {
        boolean due = queries >= SEVERAL && queries < ENOUGH * connections;
        queries = 0;
        connections = 0;
        if (due) {
            sleep.accept(NANOS);
        }
    }
}
