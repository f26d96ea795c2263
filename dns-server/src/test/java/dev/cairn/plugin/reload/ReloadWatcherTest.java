package dev.cairn.plugin.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.corefile.Position;
import dev.cairn.corefile.Problems;
import dev.cairn.log.Log;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.Reloading;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReloadWatcherTest {
    private final Disk disk = new Disk();
    private final MetricRegistry metrics = new MetricRegistry();
    private final ReloadWatcher watcher = new ReloadWatcher(disk, "running", metrics);
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private @Nullable PrintStream logBefore;

    @BeforeEach
    void keepLog() {
        logBefore = Log.redirect(new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void stop() {
        watcher.stop();
        Log.redirect(logBefore);
    }

    @Test
    void leavesAFileAloneThatIsTheRunningOne() {
        watcher.look();
        watcher.look();
        assertThat(disk.reloads).hasValue(0);
        Log.flush();
        assertThat(log.size()).isZero();
    }

    @Test
    void triesAFileThatFailsOnlyOnceUntilItChanges() {
        disk.digest = "wrong";
        disk.works = false;
        watcher.look();
        watcher.look();
        assertThat(disk.reloads).hasValue(1);
        assertThat(metrics.scrape()).contains("coredns_reload_failed_total 1\n");
        assertThat(lines("Corefile changed but reload failed")).hasSize(1);

        disk.digest = "running";
        watcher.look();
        assertThat(disk.reloads).hasValue(1);
        disk.digest = "wrong";
        watcher.look();
        assertThat(disk.reloads).hasValue(2);
    }

    @Test
    void reportsAnUnreadableFileOncePerChange() {
        disk.digest = null;
        disk.problem = "missing }";
        watcher.look();
        watcher.look();
        assertThat(lines("[WARNING] plugin/reload: Corefile parse failed: Corefile:7: missing }")).hasSize(1);
        assertThat(metrics.scrape()).contains("coredns_reload_failed_total 1\n");

        disk.problem = "missing {";
        watcher.look();
        assertThat(lines("missing {")).hasSize(1);

        disk.digest = "running";
        watcher.look();
        disk.digest = null;
        watcher.look();
        assertThat(lines("missing {")).hasSize(2);
        assertThat(disk.reloads).hasValue(0);
    }

    @Test
    void looksAtIntervalsUntilItIsStopped() {
        watcher.interval(Duration.ofMillis(5));
        watcher.start();
        watcher.start();
        assertThat(lines("Running configuration SHA512 = running")).hasSize(1);
        await().until(() -> disk.looks.get() > 3);
        disk.digest = "next";
        await().until(() -> disk.reloads.get() == 1);
        watcher.stop();
        int looks = disk.looks.get();
        await().during(Duration.ofMillis(100)).until(() -> disk.looks.get() <= looks + 1);
    }

    @Test
    void aDefectDoesNotEndTheLooking() {
        disk.defect = true;
        watcher.interval(Duration.ofMillis(5));
        watcher.start();
        await().until(() -> disk.looks.get() > 2);
        assertThat(lines("looking for a changed configuration failed")).isNotEmpty();
    }

    @Test
    void aStoppedWatcherDoesNotReloadAndCountsNoFailure() {
        watcher.stop();
        disk.digest = "next";
        disk.works = false;
        watcher.look();
        assertThat(disk.reloads).hasValue(0);
        assertThat(metrics.scrape()).contains("coredns_reload_failed_total 0\n");
    }

    private List<String> lines(String part) {
        Log.flush();
        return log.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains(part)).toList();
    }

    /** A configuration on disk as the test wants it. */
    private static final class Disk implements Reloading {
        private final AtomicInteger reloads = new AtomicInteger();
        private final AtomicInteger looks = new AtomicInteger();
        private volatile @Nullable String digest = "running";
        private volatile String problem = "";
        private volatile boolean works = true;
        private volatile boolean defect;

        @Override
        public @Nullable String digestOnDisk(Problems problems) {
            looks.incrementAndGet();
            if (defect) {
                throw new IllegalStateException("a defect");
            }
            if (digest == null) {
                problems.error(new Position("Corefile", 7), problem);
            }
            return digest;
        }

        @Override
        public boolean reload() {
            reloads.incrementAndGet();
            return works;
        }
    }
}
