package dev.cairn.plugin.health;

import dev.cairn.corefile.GoDuration;
import dev.cairn.log.Log;
import dev.cairn.metrics.Counter;
import dev.cairn.metrics.Histogram;
import dev.cairn.metrics.HistogramUnit;
import dev.cairn.metrics.MetricRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.time.Duration;

/**
 * Asks the process's own endpoint once a second: how long that takes tells whether the process keeps up. Runs on a virtual thread of its
 * own, since a request that gets no answer would hold up whatever shares its thread.
 */
final class HealthProbe {
    private static final Log LOG = Log.plugin("health");
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Duration SLOW = Duration.ofSeconds(1);
    private static final double[] BUCKETS = {0.00025, 0.0025, 0.025, 0.25, 2.5};

    private final URL url;
    private final Histogram durations;
    private final Counter failures;
    private final Thread thread;
    private volatile boolean stopped;

    HealthProbe(URL url, MetricRegistry metrics) {
        this.url = url;
        durations = metrics.histogram("coredns_health_request_duration_seconds", "Histogram of the time (in seconds) each request took.",
                BUCKETS, HistogramUnit.NANOS).with();
        failures = metrics.counter("coredns_health_request_failures_total", "The number of times the health check failed.").with();
        thread = Thread.ofVirtual().name("cairn-health-probe").unstarted(this::run);
    }

    static HealthProbe start(InetSocketAddress address, String path, MetricRegistry metrics) throws IOException {
        HealthProbe probe = new HealthProbe(url(address, path), metrics);
        probe.thread.start();
        return probe;
    }

    /** The wildcard can be asked at any address; the loopback's is always there. */
    private static URL url(InetSocketAddress address, String path) throws IOException {
        InetAddress to = address.getAddress().isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address.getAddress();
        try {
            return new URI("http", null, to.getHostAddress(), address.getPort(), path, null, null).toURL();
        } catch (URISyntaxException e) {
            throw new IOException("cannot ask for the health at " + address, e);
        }
    }

    void stop() {
        stopped = true;
        thread.interrupt();
    }

    private void run() {
        try {
            while (!stopped) {
                Thread.sleep(EVERY);
                ask();
            }
        } catch (InterruptedException e) {
            // stopped, the one reason to interrupt this thread
        }
    }

    void ask() {
        long start = System.nanoTime();
        try {
            request();
        } catch (IOException e) {
            if (!stopped) {
                durations.record(System.nanoTime() - start);
                failures.increment();
                LOG.warning("Local health request to \"" + url + "\" failed: " + e.getMessage());
            }
            return;
        }
        Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
        durations.record(elapsed.toNanos());
        if (elapsed.compareTo(SLOW) > 0) {
            LOG.warning("Local health request to \"" + url + "\" took more than 1s: " + GoDuration.format(elapsed));
        }
    }

    /** A proxy that the environment names must not come between the process and itself. */
    private void request() throws IOException {
        HttpURLConnection connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout((int) TIMEOUT.toMillis());
        connection.setReadTimeout((int) TIMEOUT.toMillis());
        connection.setInstanceFollowRedirects(false);
        if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
            connection.disconnect();
            throw new IOException("status " + connection.getResponseCode());
        }
        // Read to the end, so that the next request finds the connection open.
        try (InputStream body = connection.getInputStream()) {
            body.transferTo(OutputStream.nullOutputStream());
        }
    }
}
