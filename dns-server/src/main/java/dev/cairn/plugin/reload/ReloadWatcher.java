package dev.cairn.plugin.reload;

import dev.cairn.corefile.Problem;
import dev.cairn.corefile.Problems;
import dev.cairn.log.Log;
import dev.cairn.metrics.Counter;
import dev.cairn.metrics.GaugeFamily;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.Reloading;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Compares the configuration on disk with the one it belongs to, and asks for a reload when they differ. Started and stopped by the thread
 * that changes the configuration; {@link #look} and what it remembers belong to the watcher's thread. That thread may be the one that
 * reloads, and so stops this watcher: it is never interrupted, nor waited for.
 */
final class ReloadWatcher {
    private static final Log LOG = Log.plugin("reload");
    private static final String HASH = "sha512";

    private final Reloading reloading;
    private final String running;
    private final MetricRegistry metrics;
    private final Counter failures;
    private final GaugeFamily versions;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private Duration interval = Duration.ofSeconds(30);
    private MetricRegistry.@Nullable ScrapeHook versionHook;

    /** The digest that was tried last: one that failed is not tried again. */
    private String tried;

    private List<String> reported = List.of();

    /** @param running the digest of the configuration that the watcher belongs to */
    ReloadWatcher(Reloading reloading, String running, MetricRegistry metrics) {
        this.reloading = reloading;
        this.running = running;
        this.tried = running;
        this.metrics = metrics;
        failures = metrics.counter("coredns_reload_failed_total", "Counter of the number of failed reload attempts.").with();
        versions = metrics.gauge("coredns_reload_version_info",
                "A metric with a constant '1' value labeled by hash, and value which type of hash generated.", "hash", "value");
    }

    void interval(Duration chosen) {
        interval = chosen;
    }

    Duration interval() {
        return interval;
    }

    /** Starts to look; a second block that asks for it changes nothing. */
    void start() {
        if (versionHook != null) {
            return;
        }
        LOG.info("Running configuration SHA512 = " + running);
        // While one instance takes over from another both are here; the newer comes later and so has the last word.
        versionHook = metrics.onScrape(() -> {
            versions.clear();
            versions.with(HASH, running).set(1);
        });
        Thread.ofPlatform().daemon().name("cairn-reload").start(this::run);
    }

    void stop() {
        stopped.countDown();
        if (versionHook != null) {
            versionHook.close();
            versions.remove(HASH, running);
        }
    }

    private void run() {
        try {
            while (!stopped.await(interval.toNanos(), TimeUnit.NANOSECONDS)) {
                lookAndLive();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody does that; it would mean to stop
        }
    }

    /** The thread's outermost frame: a defect in one look must not end the looking. */
    private void lookAndLive() {
        try {
            look();
        } catch (RuntimeException e) {
            failures.increment();
            LOG.error("looking for a changed configuration failed: " + e);
        }
    }

    /** Looks once. */
    void look() {
        Problems problems = new Problems();
        String onDisk = reloading.digestOnDisk(problems);
        if (onDisk == null) {
            report(problems);
            return;
        }
        reported = List.of();
        if (onDisk.equals(running)) {
            tried = running; // changed back
        } else if (!onDisk.equals(tried) && stopped.getCount() > 0) {
            tried = onDisk;
            if (!reloading.reload() && stopped.getCount() > 0) {
                failures.increment();
                LOG.error("Corefile changed but reload failed; it is tried again when the file changes");
            }
        }
    }

    /** Tells of a configuration that can't be read, once for each way in which it can't. */
    private void report(Problems problems) {
        List<String> lines = problems.all().stream().map(Problem::toString).toList();
        if (!lines.equals(reported)) {
            reported = lines;
            failures.increment();
            lines.forEach(line -> LOG.warning("Corefile parse failed: " + line));
            LOG.warning("The configuration on disk has errors; the old one stays in service");
        }
    }
}
