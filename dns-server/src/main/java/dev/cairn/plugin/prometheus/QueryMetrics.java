package dev.cairn.plugin.prometheus;

import dev.cairn.metrics.CounterFamily;
import dev.cairn.metrics.HistogramFamily;
import dev.cairn.metrics.HistogramUnit;
import dev.cairn.metrics.MetricRegistry;

/** The metrics of queries, by the names, labels, buckets and help texts that CoreDNS has for them. */
record QueryMetrics(
        CounterFamily requests,
        CounterFamily dnssecRequests,
        CounterFamily responses,
        HistogramFamily durations,
        HistogramFamily requestSizes,
        HistogramFamily responseSizes) {

    private static final double[] SECONDS = exponential(0.00025, 16);
    private static final double[] BYTES = {0, 100, 200, 300, 400, 511, 1023, 2047, 4095, 8291, 16e3, 32e3, 48e3, 64e3};

    static QueryMetrics in(MetricRegistry registry) {
        return new QueryMetrics(
                registry.counter("coredns_dns_requests_total", "Counter of DNS requests made per zone, protocol and family.",
                        "server", "zone", "view", "proto", "family", "type"),
                registry.counter("coredns_dns_do_requests_total", "Counter of DNS requests with DO bit set per zone.",
                        "server", "zone", "view"),
                registry.counter("coredns_dns_responses_total", "Counter of response status codes.",
                        "server", "zone", "view", "rcode", "plugin"),
                registry.histogram("coredns_dns_request_duration_seconds", "Histogram of the time (in seconds) each request took per zone.",
                        SECONDS, HistogramUnit.NANOS, "server", "zone", "view"),
                registry.histogram("coredns_dns_request_size_bytes",
                        "Size of the EDNS0 UDP buffer in bytes (64K for TCP) per zone and protocol.",
                        BYTES, HistogramUnit.BYTES, "server", "zone", "view", "proto"),
                registry.histogram("coredns_dns_response_size_bytes", "Size of the returned response in bytes.",
                        BYTES, HistogramUnit.BYTES, "server", "zone", "view", "proto"));
    }

    /** Bounds that double, from {@code first} on. */
    private static double[] exponential(double first, int count) {
        double[] bounds = new double[count];
        double bound = first;
        for (int i = 0; i < count; i++) {
            bounds[i] = bound;
            bound *= 2;
        }
        return bounds;
    }
}
