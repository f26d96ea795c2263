package dev.cairn.plugin;

import java.time.Instant;

/**
 * The time of day for moments that are known by {@link System#nanoTime}, so that the same moment is told alike whenever it is told. Follows
 * the system's clock when that is set. Used by all threads.
 */
public final class WallClock {
    /** A difference of this size is a clock that was set, not one that ticks a little faster. */
    private static final long SET = 10_000_000;

    private static final long CHECK_AFTER = 1_000_000_000;

    private volatile long offset = offsetNow();
    private volatile long checked = System.nanoTime();

    /** Nanoseconds since 1970 at a moment of the recent past. */
    public long at(long nanoTime) {
        if (nanoTime - checked > CHECK_AFTER) {
            long now = offsetNow();
            if (Math.abs(now - offset) > SET) {
                offset = now;
            }
            checked = nanoTime;
        }
        return nanoTime + offset;
    }

    private static long offsetNow() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000 + now.getNano() - System.nanoTime();
    }
}
