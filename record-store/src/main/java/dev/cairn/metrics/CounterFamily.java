package dev.cairn.metrics;

/** A named set of counters, one per set of label values. */
public final class CounterFamily extends Family<Counter> {
    private final Cells cells;

    CounterFamily(String name, String help, String[] labelNames, Cells cells) {
        super(name, help, MetricType.COUNTER, labelNames);
        this.cells = cells;
    }

    /** The counter for these label values, printed from now on. For set-up or first sight of a value; keep the result. */
    public Counter with(String... labelValues) {
        return child(labelValues);
    }

    @Override
    Counter create() {
        return new Counter(cells, cells.allocate(1));
    }

    @Override
    void writeChild(TextFormat out, LabelSet labels, Counter child, long[] totals) {
        out.sample(name(), "", labels, (double) child.in(totals));
    }
}
