package dev.cairn.cluster.api;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait before the next try: doubles with each failure, with jitter against many coming back at once. Owned by one thread. */
final class Delay {
    private final long first;
    private final long last;
    private final RandomGenerator random;
    private long next;

    Delay(Duration first, Duration last, RandomGenerator random) {
        this.first = first.toNanos();
        this.last = last.toNanos();
        this.random = random;
        next = this.first;
    }

    /** The time to wait now, in nanoseconds: between half of the delay and the whole. */
    long nanos() {
        long delay = next;
        next = Math.min(last, next * 2);
        return delay / 2 + random.nextLong(delay / 2 + 1);
    }

    /** Something worked. */
    void reset() {
        next = first;
    }
}
