package dev.cairn.metrics;

/** A named set of gauges, one per set of label values. */
public final class GaugeFamily extends Family<Gauge> {
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
