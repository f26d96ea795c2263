package dev.cairn.plugin.errors;

import dev.cairn.corefile.GoDuration;
import dev.cairn.log.Log;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Counts errors whose text matches a pattern, and logs their number when a period that began with the first of them is over. */
final class Consolidation {
    private final Duration period;
    private final Pattern pattern;
    private final Log.Level level;
    private final boolean showFirst;
    private final ScheduledExecutorService scheduler;

    // All below guarded by this.
    private int count;
    private boolean stopped;
    private @Nullable Future<?> summary;

    Consolidation(Duration period, Pattern pattern, Log.Level level, boolean showFirst, ScheduledExecutorService scheduler) {
        this.period = period;
        this.pattern = pattern;
        this.level = level;
        this.showFirst = showFirst;
        this.scheduler = scheduler;
    }

    boolean matches(String error) {
        return pattern.matcher(error).find();
    }

    /** The level of the summary, and of an error that {@link #takes} leaves to be logged by itself. */
    Log.Level level() {
        return level;
    }

    /** Counts an error; whether that is all that is to be done about it. */
    synchronized boolean takes() {
        if (stopped) {
            return false;
        }
        count++;
        if (count > 1) {
            return true;
        }
        summary = scheduler.schedule(this::summarize, period.toNanos(), TimeUnit.NANOSECONDS);
        return !showFirst;
    }

    private synchronized void summarize() {
        if (count > 1 || (count == 1 && !showFirst)) {
            ErrorsPlugin.LOG.offer(level, count + " errors like '" + pattern + "' occurred in last " + GoDuration.format(period));
        }
        count = 0;
    }

    /** Logs what has been counted; errors that still come are logged one by one. */
    synchronized void stop() {
        stopped = true;
        if (summary != null && summary.cancel(false)) {
            summarize();
        }
    }
}
