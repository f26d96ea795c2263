package dev.cairn.listen;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets an event loop rest for a moment once it has answered all that had come, if clients send one query after the other without waiting: their
 * next ones then come together and are answered together. Woken by the first of them, the loop would make a segment for each few, which costs
 * more than the answers. Nobody's reply is held back for it. Owned by the event loop.
 */
final class Rest implements Runnable {
    /** Who sends fewer at a time, as stub resolvers do, may wait for the replies before going on. */
    private static final int SEVERAL = 3;

    /** With as many at a time a segment costs little for each. */
    private static final int ENOUGH = 16;

    /** Linux adds up to 50 µs to this by its own rule for timers. */
    private static final long NANOS = 20_000;

    private static final FastThreadLocal<Rest> OF_LOOP = new FastThreadLocal<>() {
        @Override
        protected Rest initialValue() {
            return new Rest();
        }
    };

    private boolean due;

    /** That of the event loop which calls. */
    static Rest ofThisLoop() {
        return OF_LOOP.get();
    }

    /** A connection has had replies to so many queries that it sent at a time. */
    void afterAnswering(int queries, Executor loop) {
        if (queries >= SEVERAL && queries < ENOUGH && !due) {
            due = true;
            loop.execute(this); // after the other connections that have something to read
        }
    }

    @Override
    public void run() {
        due = false;
        LockSupport.parkNanos(NANOS);
    }
}
