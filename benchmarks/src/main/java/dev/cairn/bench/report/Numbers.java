package dev.cairn.bench.report;

import java.util.Locale;

/** Numbers as people read them: about three digits, more only left of the point. */
public final class Numbers {
    private Numbers() {}

    public static String text(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        if (Double.isInfinite(value)) {
            return "never";
        }
        double size = Math.abs(value);
        if (value == Math.rint(value) || size >= 99.95) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, size >= 9.995 ? "%.1f" : size >= 0.0995 ? "%.2f" : "%.3f", value);
    }
}
