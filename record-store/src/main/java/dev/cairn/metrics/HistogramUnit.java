package dev.cairn.metrics;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** The raw unit that a {@link Histogram} records, and how it becomes the unit that is printed. */
public enum HistogramUnit {
    /** Recorded in nanoseconds; bounds and sum are in seconds. */
    NANOS(9),
    /** Recorded and printed in bytes. */
    BYTES(0),
    /** A plain number. */
    ONE(0);

    private final int decimals;
    private final double perPrinted;

    HistogramUnit(int decimals) {
        this.decimals = decimals;
        this.perPrinted = Math.pow(10, decimals);
    }

    /** The largest raw value within a bound. Decimal arithmetic, because 0.00025 s has to be 250,000 ns and not one less. */
    long threshold(double bound) {
        BigDecimal raw = BigDecimal.valueOf(bound).movePointRight(decimals).setScale(0, RoundingMode.FLOOR);
        return raw.min(BigDecimal.valueOf(Long.MAX_VALUE)).max(BigDecimal.valueOf(Long.MIN_VALUE)).longValueExact();
    }

    double printed(long raw) {
        return raw / perPrinted;
    }
}
