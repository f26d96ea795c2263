package dev.cairn.cluster.api;

import java.util.concurrent.TimeUnit;

/** A bucket of requests that fills at a steady rate. Used by all reflector threads. */
final class RateLimit {
    private static final int USUAL_BURST = 10;

    private final double nanosEach;
    private final double burst;
    private double tokens;
    private long filled = System.nanoTime();

    RateLimit(double qps, int burst) {
        nanosEach = qps > 0 ? TimeUnit.SECONDS.toNanos(1) / qps : 0;
        this.burst = burst > 0 ? burst : USUAL_BURST;
        tokens = this.burst;
    }

    /** Takes a turn; the time in nanoseconds until it comes. */
    synchronized long take() {
        if (nanosEach == 0) {
            return 0;
        }
        long now = System.nanoTime();
        tokens = Math.min(burst, tokens + (now - filled) / nanosEach) - 1;
        filled = now;
        return tokens >= 0 ? 0 : (long) (-tokens * nanosEach);
    }
}
