package dev.cairn.listen;

import java.util.concurrent.atomic.LongAdder;

/** Counts the queries of one datagram socket that plugins keep, so that it is not closed before their replies have left. */
final class Kept {
    private final LongAdder ended = new LongAdder();
    private long begun;

    /** A plugin has kept a query. For the socket's thread. */
    void begin() {
        begun++;
    }

    /** Its reply has left, or there is none; perhaps before {@link #begin} is called. From any thread. */
    void end() {
        ended.increment();
    }

    /** Whether all have ended. For the socket's thread. */
    boolean isEmpty() {
        return ended.sum() == begun;
    }
}
