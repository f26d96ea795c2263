package dev.cairn.metrics;

/** Sorts values into buckets, from any thread, without contention and without garbage. */
public final class Histogram {
    private final Cells cells;
    /** The sum; one cell per threshold follows, then one for all that is larger. */
    private final int first;
    private final int last;
    private final long[] thresholds;

    Histogram(Cells cells, int first, long[] thresholds) {
        this.cells = cells;
        this.first = first;
        this.last = first + cellsFor(thresholds) - 1;
        this.thresholds = thresholds;
    }

    static int cellsFor(long[] thresholds) {
        return thresholds.length + 2;
    }

    /** Records a value in the raw unit of the family. A negative value counts as zero: the sum must never go down. */
    public void record(long value) {
        long counted = Math.max(0, value);
        long[] own = cells.ofThisThread(last);
        Cells.add(own, first + 1 + bucketOf(counted), 1);
        Cells.add(own, first, counted);
    }

    /** A walk from the low end: buckets are few, and most values are small. */
    private int bucketOf(long value) {
        int i = 0;
        while (i < thresholds.length && value > thresholds[i]) {
            i++;
        }
        return i;
    }

    long bucketIn(long[] totals, int bucket) {
        return Cells.at(totals, first + 1 + bucket);
    }

    long sumIn(long[] totals) {
        return Cells.at(totals, first);
    }
}
