package dev.cairn.metrics;

import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * All metrics of the process. Asking for a family that is there already returns it, so what was counted survives a reload.
 *
 * <p>Safe for use by any thread. Asking again for a name with another type, other labels or other buckets is an
 * {@link IllegalStateException}; a name or label that Prometheus would refuse is an {@link IllegalArgumentException}.
 */
public final class MetricRegistry {
    /** The content type of what {@link #scrape} returns. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final Cells cells = new Cells();
    private final ConcurrentSkipListMap<String, Family<?>> families = new ConcurrentSkipListMap<>();
    private final List<ScrapeHook> hooks = new CopyOnWriteArrayList<>();
    private final Object scraping = new Object();
    private int lastLength = 4096;

    /** What a family is, apart from what it has counted. */
    public record Description(String name, String type, List<String> labelNames, String help) {}

    /** A hook to be run before each scrape, until closed. */
    public static final class ScrapeHook implements AutoCloseable {
        private final MetricRegistry registry;
        private final Runnable action;

        private ScrapeHook(MetricRegistry registry, Runnable action) {
            this.registry = registry;
            this.action = action;
        }

        @Override
        public void close() {
            registry.hooks.remove(this);
        }
    }

    public CounterFamily counter(String name, String help, String... labelNames) {
        return known(new CounterFamily(name, help, labelNames, cells), CounterFamily.class);
    }

    public GaugeFamily gauge(String name, String help, String... labelNames) {
        return known(new GaugeFamily(name, help, MetricType.GAUGE, labelNames), GaugeFamily.class);
    }

    /** A total that something else keeps: set like a gauge, printed as a counter. */
    GaugeFamily foreignCounter(String name, String help, String... labelNames) {
        return known(new GaugeFamily(name, help, MetricType.COUNTER, labelNames), GaugeFamily.class);
    }

    /**
     * A family of histograms.
     *
     * @param bounds the upper bounds of the buckets, inclusive, ascending, without the infinite one, in the printed unit
     * @param unit what {@link Histogram#record} is given
     */
    public HistogramFamily histogram(String name, String help, double[] bounds, HistogramUnit unit, String... labelNames) {
        HistogramFamily family = known(new HistogramFamily(name, help, bounds, unit, labelNames, cells), HistogramFamily.class);
        if (!family.sameBuckets(bounds, unit)) {
            throw new IllegalStateException("metric " + name + " is there already with other buckets");
        }
        return family;
    }

    /** Has {@code action} run before each scrape, to refresh gauges. Close the result when what the action looks at goes away. */
    public ScrapeHook onScrape(Runnable action) {
        ScrapeHook hook = new ScrapeHook(this, action);
        hooks.add(hook);
        return hook;
    }

    /** Everything in the Prometheus text format 0.0.4. Scrapes run one at a time, so a hook may clear and refill a gauge family unseen. */
    public String scrape() {
        synchronized (scraping) {
            for (ScrapeHook hook : hooks) {
                hook.action.run();
            }
            long[] totals = cells.totals();
            TextFormat out = new TextFormat(lastLength + lastLength / 8);
            for (Family<?> family : families.values()) {
                family.write(out, totals);
            }
            lastLength = out.length();
            return out.toString();
        }
    }

    /** All families, also those of which nothing was counted yet. */
    public List<Description> descriptions() {
        return families.values().stream()
                .map(family -> new Description(family.name(), family.type().text(), family.labelNames(), family.help()))
                .toList();
    }

    Cells cells() {
        return cells;
    }

    private <F extends Family<?>> F known(F fresh, Class<F> kind) {
        Family<?> before = families.putIfAbsent(fresh.name(), fresh);
        if (before == null) {
            return fresh;
        }
        if (!kind.isInstance(before) || before.type() != fresh.type() || !before.labelNames().equals(fresh.labelNames())) {
            throw new IllegalStateException("metric " + fresh.name() + " is there already as a " + before.type().text()
                + " with the labels " + before.labelNames());
        }
        return kind.cast(before);
    }
}
