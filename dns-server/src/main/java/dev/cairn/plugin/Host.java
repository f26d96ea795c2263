package dev.cairn.plugin;

import dev.cairn.http.HttpEndpoints;
import dev.cairn.metrics.MetricRegistry;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What the process offers to plugins; the same over all reloads.
 *
 * @param http listeners for health, readiness and metrics, shared by address
 * @param scheduler one daemon thread for short periodic work, such as looking at a file's time stamp
 * @param digest the digest of the configuration being set up
 */
public record Host(
        MetricRegistry metrics, HttpEndpoints http, ScheduledExecutorService scheduler, Reloading reloading, String digest) {}
