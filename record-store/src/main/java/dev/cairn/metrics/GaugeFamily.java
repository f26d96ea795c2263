package dev.cairn.metrics;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A named set of gauges, one per set of label values. */
public final class GaugeFamily extends Family<Gauge> {
    /** How many holds are open for a set of label values; guarded by itself. */
    private final Map<List<String>, Integer> held = new HashMap<>();

    /** Something that is so until closed. Close it once. */
    public interface Hold extends AutoCloseable {
        @Override
        void close();
    }

    /** The type is not always GAUGE: a total that the kernel or the JVM keeps is set like a gauge and printed as a counter. */
    GaugeFamily(String name, String help, MetricType type, String[] labelNames) {
        super(name, help, type, labelNames);
    }

    /** The gauge for these label values, printed from now on; zero until set. */
    public Gauge with(String... labelValues) {
        return child(labelValues);
    }

    /** Stops printing the gauge for these label values. */
    public void remove(String... labelValues) {
        removeChild(labelValues);
    }

    /**
     * Prints 1 for these label values until every hold of them is closed. So a fact that is as true after a reload as before does not
     * vanish with the old configuration, which closes its holds when those of the new one are open.
     */
    public Hold hold(String... labelValues) {
        List<String> labels = List.of(labelValues);
        synchronized (held) {
            held.merge(labels, 1, Integer::sum);
            with(labelValues).set(1);
        }
        return () -> {
            synchronized (held) {
                if (held.merge(labels, -1, (open, less) -> open + less == 0 ? null : open + less) == null) {
                    remove(labels.toArray(String[]::new));
                }
            }
        };
    }

    /** Stops printing all gauges of this family. */
    public void clear() {
        removeChildren();
    }

    @Override
    Gauge create() {
        return new Gauge();
    }

    @Override
    void writeChild(TextFormat out, LabelSet labels, Gauge child, long[] totals) {
        out.sample(name(), "", labels, child.value());
    }
}
