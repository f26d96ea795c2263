package dev.cairn.metrics;

import java.util.Arrays;

/** A named set of histograms with the same buckets, one per set of label values. */
public final class HistogramFamily extends Family<Histogram> {
    private final Cells cells;
    private final HistogramUnit unit;
    private final double[] bounds;
    private final long[] thresholds;
    private final String[] printedBounds;

    HistogramFamily(String name, String help, double[] bounds, HistogramUnit unit, String[] labelNames, Cells cells) {
        super(name, help, MetricType.HISTOGRAM, labelNames);
        for (int i = 0; i < bounds.length; i++) {
            if (!Double.isFinite(bounds[i]) || (i > 0 && bounds[i] <= bounds[i - 1])) {
                throw new IllegalArgumentException("the bounds of " + name + " must be finite and ascend: " + Arrays.toString(bounds));
            }
        }
        this.cells = cells;
        this.unit = unit;
        this.bounds = bounds.clone();
        this.thresholds = new long[bounds.length];
        this.printedBounds = new String[bounds.length];
        for (int i = 0; i < bounds.length; i++) {
            thresholds[i] = unit.threshold(bounds[i]);
            printedBounds[i] = TextFormat.number(bounds[i]);
        }
    }

    /** The histogram for these label values, printed from now on. For set-up or first sight of a value; keep the result. */
    public Histogram with(String... labelValues) {
        return child(labelValues);
    }

    boolean sameBuckets(double[] otherBounds, HistogramUnit otherUnit) {
        return unit == otherUnit && Arrays.equals(bounds, otherBounds);
    }

    @Override
    Histogram create() {
        return new Histogram(cells, cells.allocate(Histogram.cellsFor(thresholds)), thresholds);
    }

    @Override
    void writeChild(TextFormat out, LabelSet labels, Histogram child, long[] totals) {
        long cumulative = 0;
        for (int i = 0; i < thresholds.length; i++) {
            cumulative += child.bucketIn(totals, i);
            out.bucket(name(), labels, printedBounds[i], cumulative);
        }
        cumulative += child.bucketIn(totals, thresholds.length);
        out.bucket(name(), labels, "+Inf", cumulative);
        out.sample(name(), "_sum", labels, unit.printed(child.sumIn(totals)));
        // Derived from the buckets: a count of its own could be read at another moment and disagree with them.
        out.sample(name(), "_count", labels, (double) cumulative);
    }
}
