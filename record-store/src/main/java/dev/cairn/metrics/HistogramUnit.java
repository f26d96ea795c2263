package dev.cairn.metrics;

/** The raw unit that a {@link Histogram} records, and how it becomes the unit that is printed. */
public enum HistogramUnit {
    /** Recorded in nanoseconds; bounds and sum are in seconds. */
    NANOS(9),
    /** Recorded and printed in bytes. */
    BYTES(0),
    /** A plain number. */
    ONE(0);

    private final double perPrinted;

    HistogramUnit(int decimals) {
        this.perPrinted = Math.pow(10, decimals);
    }

    /** The largest raw value that is printed as no more than a bound: of 0.00025 s that is 250,000 ns, though their product may come out a little less. */
    long threshold(double bound) {
        long raw = (long) Math.floor(bound * perPrinted);
        if (raw < Long.MAX_VALUE && printed(raw + 1) <= bound) {
            return raw + 1;
        }
        return raw > Long.MIN_VALUE && printed(raw) > bound ? raw - 1 : raw;
    }

    double printed(long raw) {
        return raw / perPrinted;
    }
}
