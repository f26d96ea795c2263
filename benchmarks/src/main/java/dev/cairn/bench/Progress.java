package dev.cairn.bench;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Tells which part of how many is measured, what it does, and how long it will take. */
final class Progress {
    private final PrintStream out;
    private final LongSupplier nanos;
    private final int parts;
    private final long begun;
    private int left;
    private int part;
    private String name = "";

    /** @param seconds about how long all of it takes */
    Progress(PrintStream out, LongSupplier nanos, int parts, int seconds) {
        this.out = out;
        this.nanos = nanos;
        this.parts = parts;
        begun = nanos.getAsLong();
        left = seconds;
        out.printf("%d %s, about %s%n", parts, parts == 1 ? "part" : "parts", duration(seconds));
    }

    /** The next part begins. */
    void part(String partName, String title, int seconds) {
        part++;
        name = partName;
        out.printf("%n[%d/%d] %s: %s, about %s; about %s until the end%n", part, parts, name, title, duration(seconds), duration(left));
        left = Math.max(0, left - seconds);
    }

    /** Something within a part begins; minutes and seconds since the start stand before it. */
    @SuppressWarnings("AnnotateFormatMethod") // not worth a library for its annotation
    void step(String format, Object... values) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong() - begun);
        out.printf("  [%d/%d %s, %d:%02d] %s%n", part, parts, name, seconds / 60, seconds % 60, String.format(Locale.ROOT, format, values));
    }

    static String duration(long seconds) {
        return seconds < 100 ? seconds + " s" : (seconds + 30) / 60 + " min";
    }
}
