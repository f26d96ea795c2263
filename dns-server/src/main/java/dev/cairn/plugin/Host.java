package dev.cairn.plugin;

import dev.cairn.corefile.Problems;
import dev.cairn.http.HttpEndpoints;
import dev.cairn.metrics.MetricRegistry;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/**
 * What the process offers to plugins; the same over all reloads.
 *
 * @param http listeners for health, readiness and metrics, shared by address
 * @param scheduler one daemon thread for short periodic work, such as looking at a file's time stamp
 * @param process what plugins keep over reloads, by type
 * @param digest tells the digest of the configuration being set up
 */
public record Host(
        MetricRegistry metrics, HttpEndpoints http, ScheduledExecutorService scheduler, Reloading reloading, Shared process, Supplier<String> digest) {
    /** A host of its own for an instance that is only looked at: nothing runs until a start hook is called. */
    public static Host offline(Supplier<String> digest) {
        ScheduledExecutorService idle = Executors.newSingleThreadScheduledExecutor(task -> Thread.ofPlatform().daemon().unstarted(task));
        return new Host(new MetricRegistry(), new HttpEndpoints(), idle, new NoReloading(digest), new Shared(), digest);
    }

    private record NoReloading(Supplier<String> digest) implements Reloading {
        @Override
        public String digestOnDisk(Problems problems) {
            return digest.get();
        }

        @Override
        public boolean reload() {
            return false;
        }
    }
}
