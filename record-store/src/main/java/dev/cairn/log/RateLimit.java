package dev.cairn.log;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps lines of one kind few: some at once, and from then on one in a while. What is held back is counted, and told by the next one. Any thread
 * may ask.
 */
public final class RateLimit {
    private final int burst;
    private final long each;
    private final LongSupplier nanoClock;
    private int left;
    /** When the last line was earned. */
    private long earned;
    private long held;

    /**
     * Makes one that lets the first lines through.
     *
     * @param burst how many may come at once, after a long silence
     * @param each how long it takes until another one may
     */
    public RateLimit(int burst, Duration each, LongSupplier nanoClock) {
        this.burst = burst;
        this.each = each.toNanos();
        this.nanoClock = nanoClock;
        left = burst;
        earned = nanoClock.getAsLong();
    }

    /** The line to be written, with how many were held back before it; null if this one is held back, too. */
    public synchronized @Nullable String admit(String line) {
        long now = nanoClock.getAsLong();
        long more = (now - earned) / each;
        earned = left + more >= burst ? now : earned + more * each;
        left = (int) Math.min(burst, left + more);
        if (left == 0) {
            held++;
            return null;
        }
        left--;
        String text = held == 0 ? line : line + " (and " + held + (held == 1 ? " time" : " times") + " more since the last such line)";
        held = 0;
        return text;
    }
}
