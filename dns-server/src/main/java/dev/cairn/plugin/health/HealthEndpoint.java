package dev.cairn.plugin.health;

import dev.cairn.http.HttpEndpoints;
import dev.cairn.http.HttpReply;
import dev.cairn.metrics.MetricRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** One {@code /health}, from the start of an instance to its stop. Used by the thread that changes the configuration. */
final class HealthEndpoint {
    private static final String PATH = "/health";

    private final InetSocketAddress address;
    private final HttpEndpoints http;
    private final MetricRegistry metrics;
    private HttpEndpoints.@Nullable Lease lease;
    private @Nullable HealthProbe probe;

    HealthEndpoint(InetSocketAddress address, HttpEndpoints http, MetricRegistry metrics) {
        this.address = address;
        this.http = http;
        this.metrics = metrics;
    }

    void open() throws IOException {
        HttpEndpoints.Lease opened = http.open(address, PATH, _ -> HttpReply.text(200, "OK"));
        lease = opened;
        probe = HealthProbe.start(opened.address(), PATH, metrics);
    }

    void close() {
        if (probe != null) {
            probe.stop();
        }
        if (lease != null) {
            lease.close();
        }
    }
}
