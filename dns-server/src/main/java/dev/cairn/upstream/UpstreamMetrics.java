package dev.cairn.upstream;

import dev.cairn.metrics.Counter;
import dev.cairn.metrics.CounterFamily;
import dev.cairn.metrics.Histogram;
import dev.cairn.metrics.HistogramFamily;
import dev.cairn.metrics.HistogramUnit;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.wire.Rcode;
import org.jspecify.annotations.Nullable;

/** The metrics of one upstream, named as in CoreDNS. Used by the threads of all lanes; children are made when they first count. */
final class UpstreamMetrics {
    private static final String PROXY = "forward";
    private static final double[] BUCKETS = {
        0.00025, 0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 2.048, 4.096, 8.192
    };
    private static final int RCODES = 4096;

    private final String to;
    private final HistogramFamily durations;
    private final CounterFamily hits;
    private final CounterFamily misses;
    private final CounterFamily healthFailures;
    private final CounterFamily ignored;
    private final @Nullable Histogram[] byRcode = new Histogram[32];
    private final @Nullable Counter[] hitsOf = new Counter[Carrier.values().length];
    private final @Nullable Counter[] missesOf = new Counter[Carrier.values().length];

    UpstreamMetrics(MetricRegistry registry, String to) {
        this.to = to;
        durations = registry.histogram("coredns_proxy_request_duration_seconds", "Histogram of the time each request took.",
                BUCKETS, HistogramUnit.NANOS, "proxy_name", "to", "rcode");
        hits = registry.counter("coredns_proxy_conn_cache_hits_total", "Counter of connection cache hits per upstream and protocol.",
                "proxy_name", "to", "proto");
        misses = registry.counter("coredns_proxy_conn_cache_misses_total", "Counter of connection cache misses per upstream and protocol.",
                "proxy_name", "to", "proto");
        healthFailures = registry.counter("coredns_proxy_healthcheck_failures_total", "Counter of the number of failed healthchecks.",
                "proxy_name", "to");
        ignored = registry.counter("cairn_forward_ignored_replies_total",
                "Messages from upstreams that were ignored: id, question (not what was asked), or late (nobody waits any more).", "to", "reason");
    }

    void replied(int rcode, long nanos) {
        Histogram histogram = rcode < byRcode.length ? byRcode[rcode] : null;
        if (histogram == null) {
            String text = Rcode.toText(rcode);
            histogram = durations.with(PROXY, to, text.startsWith("RCODE") ? String.valueOf(rcode % RCODES) : text);
            if (rcode < byRcode.length) {
                byRcode[rcode] = histogram; // two threads put in the same
            }
        }
        histogram.record(nanos);
    }

    void hit(Carrier carrier) {
        count(hits, hitsOf, carrier);
    }

    void miss(Carrier carrier) {
        count(misses, missesOf, carrier);
    }

    private void count(CounterFamily family, @Nullable Counter[] known, Carrier carrier) {
        Counter counter = known[carrier.index];
        if (counter == null) {
            counter = family.with(PROXY, to, carrier.label());
            known[carrier.index] = counter;
        }
        counter.increment();
    }

    void healthCheckFailed() {
        healthFailures.with(PROXY, to).increment();
    }

    /** @param reason what of it was wrong, {@code id} or {@code question}, or that it was {@code late} */
    void ignored(String reason) {
        ignored.with(to, reason).increment();
    }
}
