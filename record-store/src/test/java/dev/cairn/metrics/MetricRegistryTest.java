package dev.cairn.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MetricRegistryTest {
    private static final double[] TIMES = exponential(0.00025, 2, 16);

    /** Printed by the Go client (client_golang 1.24.1, expfmt of common 0.72.0) for the calls that the test below makes. */
    private static final String FROM_GO = """
        # HELP demo_duration_seconds Durations.
        # TYPE demo_duration_seconds histogram
        demo_duration_seconds_bucket{server="dns://:53",le="0.00025"} 2
        demo_duration_seconds_bucket{server="dns://:53",le="0.0005"} 3
        demo_duration_seconds_bucket{server="dns://:53",le="0.001"} 4
        demo_duration_seconds_bucket{server="dns://:53",le="0.002"} 4
        demo_duration_seconds_bucket{server="dns://:53",le="0.004"} 4
        demo_duration_seconds_bucket{server="dns://:53",le="0.008"} 4
        demo_duration_seconds_bucket{server="dns://:53",le="0.016"} 4
        demo_duration_seconds_bucket{server="dns://:53",le="0.032"} 4
        demo_duration_seconds_bucket{server="dns://:53",le="0.064"} 4
        demo_duration_seconds_bucket{server="dns://:53",le="0.128"} 4
        demo_duration_seconds_bucket{server="dns://:53",le="0.256"} 4
        demo_duration_seconds_bucket{server="dns://:53",le="0.512"} 4
        demo_duration_seconds_bucket{server="dns://:53",le="1.024"} 4
        demo_duration_seconds_bucket{server="dns://:53",le="2.048"} 4
        demo_duration_seconds_bucket{server="dns://:53",le="4.096"} 4
        demo_duration_seconds_bucket{server="dns://:53",le="8.192"} 5
        demo_duration_seconds_bucket{server="dns://:53",le="+Inf"} 6
        demo_duration_seconds_sum{server="dns://:53"} 16.385500002
        demo_duration_seconds_count{server="dns://:53"} 6
        # HELP demo_gauge A gauge.
        # TYPE demo_gauge gauge
        demo_gauge{v="+7ff0000000000000"} +Inf
        demo_gauge{v="-bff0000000000000"} -1
        demo_gauge{v="-fff0000000000000"} -Inf
        demo_gauge{v="00"} 0
        demo_gauge{v="01a56e1fc2f8f359"} 1e-300
        demo_gauge{v="03eef75104d551d69"} 1.5e-05
        demo_gauge{v="03f1a36e2eb1c432d"} 0.0001
        demo_gauge{v="03f30624dd2f1a9fc"} 0.00025
        demo_gauge{v="03fb999999999999a"} 0.1
        demo_gauge{v="13ff0000000000000"} 1
        demo_gauge{v="14059000000000000"} 100
        demo_gauge{v="140fe240000000000"} 123456
        demo_gauge{v="1412e848000000000"} 1e+06
        demo_gauge{v="141d954fc40100000"} 1.70000000025e+09
        demo_gauge{v="1444b1ae4d6e2ef50"} 1e+21
        demo_gauge{v="24004000000000000"} 2.5
        demo_gauge{v="9412e847e00000000"} 999999
        demo_gauge{v="N7ff8000000000001"} NaN
        # HELP demo_panics_total Panics.
        # TYPE demo_panics_total counter
        demo_panics_total 0
        # HELP demo_requests_total Requests with \\\\ and\\na second line "quoted".
        # TYPE demo_requests_total counter
        demo_requests_total{server="dns://:53",type="A",zone="a."} 1e+06
        demo_requests_total{server="dns://:53",type="A",zone="b."} 3
        demo_requests_total{server="dns://:53",type="AAAA",zone="a."} 1.234567e+06
        demo_requests_total{server="q\\"uo\\\\te\\nd",type="é",zone=""} 0
        # HELP demo_size_bytes Sizes.
        # TYPE demo_size_bytes histogram
        demo_size_bytes_bucket{le="0"} 1
        demo_size_bytes_bucket{le="100"} 2
        demo_size_bytes_bucket{le="511"} 4
        demo_size_bytes_bucket{le="16000"} 6
        demo_size_bytes_bucket{le="1e+06"} 8
        demo_size_bytes_bucket{le="+Inf"} 9
        demo_size_bytes_sum 2.081225e+06
        demo_size_bytes_count 9
        """;

    private final MetricRegistry registry = new MetricRegistry();

    @Test
    void aScrapePrintsWhatTheGoClientPrints() {
        CounterFamily requests = registry.counter("demo_requests_total", "Requests with \\ and\na second line \"quoted\".",
            "server", "zone", "type");
        requests.with("dns://:53", "b.", "A").add(3);
        requests.with("dns://:53", "a.", "AAAA").add(1_234_567);
        requests.with("dns://:53", "a.", "A").add(1_000_000);
        requests.with("q\"uo\\te\nd", "", "é");
        registry.counter("demo_panics_total", "Panics.").with();
        registry.counter("demo_empty_total", "Never touched.", "x");
        GaugeFamily gauge = registry.gauge("demo_gauge", "A gauge.", "v");
        for (String bits : new String[] {
            "+7ff0000000000000", "-bff0000000000000", "-fff0000000000000", "00",
            "01a56e1fc2f8f359", "03eef75104d551d69", "03f1a36e2eb1c432d", "03f30624dd2f1a9fc",
            "03fb999999999999a", "13ff0000000000000", "14059000000000000", "140fe240000000000",
            "1412e848000000000", "141d954fc40100000", "1444b1ae4d6e2ef50", "24004000000000000",
            "9412e847e00000000", "N7ff8000000000001"
        }) {
            gauge.with(bits).set(Double.longBitsToDouble(Long.parseUnsignedLong(bits, 1, bits.length(), 16)));
        }
        Histogram duration = registry.histogram("demo_duration_seconds", "Durations.", TIMES, HistogramUnit.NANOS, "server")
            .with("dns://:53");
        for (long nanos : new long[] {0, 250_000, 250_001, 1_000_000, 8_192_000_000L, 8_192_000_001L}) {
            duration.record(nanos);
        }
        Histogram size = registry.histogram("demo_size_bytes", "Sizes.", new double[] {0, 100, 511, 16e3, 1e6}, HistogramUnit.BYTES).with();
        for (long bytes : new long[] {0, 100, 101, 511, 512, 16_000, 64_000, 1_000_000, 1_000_001}) {
            size.record(bytes);
        }

        assertThat(registry.scrape()).isEqualTo(FROM_GO);
    }

    @Test
    void askingAgainForANameReturnsTheSameFamilyAndChild() {
        registry.counter("c_total", "Help.", "zone").with(".").increment();
        registry.counter("c_total", "Other help after a reload.", "zone").with(".").increment();

        assertThat(registry.counter("c_total", "Help.", "zone").with(".").value()).isEqualTo(2);
        assertThat(registry.gauge("g", "Help.")).isSameAs(registry.gauge("g", "Help."));
        assertThat(registry.histogram("h", "Help.", TIMES, HistogramUnit.NANOS))
            .isSameAs(registry.histogram("h", "Help.", TIMES, HistogramUnit.NANOS));
    }

    @Test
    void aNameCannotBeUsedForTwoShapes() {
        registry.counter("c_total", "Help.", "zone");
        registry.histogram("h", "Help.", TIMES, HistogramUnit.NANOS);

        assertThatIllegalStateException().isThrownBy(() -> registry.gauge("c_total", "Help.", "zone")).withMessageContaining("c_total");
        assertThatIllegalStateException().isThrownBy(() -> registry.counter("c_total", "Help.", "server"));
        assertThatIllegalStateException().isThrownBy(() -> registry.foreignCounter("c_total", "Help.", "zone"));
        assertThatIllegalStateException().isThrownBy(() -> registry.histogram("h", "Help.", TIMES, HistogramUnit.BYTES));
        assertThatIllegalStateException()
            .isThrownBy(() -> registry.histogram("h", "Help.", new double[] {1}, HistogramUnit.NANOS));
    }

    @Test
    void namesAndBoundsThatPrometheusWouldRefuseAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> registry.counter("a-b", "Help."));
        assertThatIllegalArgumentException().isThrownBy(() -> registry.counter("c", "Help.", "__name"));
        assertThatIllegalArgumentException().isThrownBy(() -> registry.counter("c", "Help.", "a", "a"));
        assertThatIllegalArgumentException().isThrownBy(() -> registry.histogram("h", "Help.", TIMES, HistogramUnit.NANOS, "le"));
        assertThatIllegalArgumentException()
            .isThrownBy(() -> registry.histogram("h", "Help.", new double[] {2, 1}, HistogramUnit.ONE));
        assertThatIllegalArgumentException().isThrownBy(() -> registry.counter("c", "Help.", "zone").with("a", "b"));
    }

    @Test
    void removedGaugesAreNotPrinted() {
        GaugeFamily gauge = registry.gauge("g", "Help.", "zone");
        gauge.with("a").set(1);
        gauge.with("b").set(2);

        gauge.remove("a");
        assertThat(registry.scrape()).isEqualTo("# HELP g Help.\n# TYPE g gauge\ng{zone=\"b\"} 2\n");
        gauge.clear();
        assertThat(registry.scrape()).isEmpty();
    }

    @Test
    void hooksRunBeforeEachScrapeUntilClosed() {
        AtomicInteger runs = new AtomicInteger();
        Gauge gauge = registry.gauge("g", "Help.").with();
        MetricRegistry.ScrapeHook hook = registry.onScrape(() -> gauge.set(runs.incrementAndGet()));

        assertThat(registry.scrape()).endsWith("g 1\n");
        assertThat(registry.scrape()).endsWith("g 2\n");
        hook.close();
        assertThat(registry.scrape()).endsWith("g 2\n");
    }

    @Test
    void aCounterDoesNotGoDown() {
        Counter counter = registry.counter("c_total", "Help.").with();

        assertThatIllegalArgumentException().isThrownBy(() -> counter.add(-1));
        assertThat(counter.value()).isZero();
    }

    private static double[] exponential(double start, double factor, int count) {
        double[] bounds = new double[count];
        for (int i = 0; i < count; i++) {
            bounds[i] = start * Math.pow(factor, i);
        }
        return bounds;
    }

    @Test
    void aHeldGaugeStaysUntilItsLastHoldIsClosed() {
        MetricRegistry registry = new MetricRegistry();
        GaugeFamily family = registry.gauge("enabled", "What is on.", "name");
        GaugeFamily.Hold old = family.hold("a");
        GaugeFamily.Hold gone = family.hold("b");
        GaugeFamily.Hold fresh = family.hold("a");
        old.close();
        gone.close();
        assertThat(registry.scrape()).contains("enabled{name=\"a\"} 1\n").doesNotContain("\"b\"");
        fresh.close();
        assertThat(registry.scrape()).doesNotContain("enabled");
    }
}
