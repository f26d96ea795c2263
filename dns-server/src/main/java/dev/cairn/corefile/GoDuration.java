package dev.cairn.corefile;

import java.time.Duration;
import java.util.Map;

/** Durations as Go reads and prints them: {@code 1m30s}, {@code 1.5h}, {@code 100ms}. */
public final class GoDuration {

    private static final long SECOND = 1_000_000_000L;
    private static final Map<String, Long> UNITS = Map.of("ns", 1L, "us", 1_000L, "\u00b5s", 1_000L, "\u03bcs", 1_000L, "ms", 1_000_000L,
        "s", SECOND, "m", 60 * SECOND, "h", 3600 * SECOND);

    private final String text;
    private int at;

    private GoDuration(String text) {
        this.text = text;
    }

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException if the text is none; the message says what to write
     */
    public static Duration parse(String text) {
        return new GoDuration(text).parse();
    }

    private Duration parse() {
        boolean negative = text.startsWith("-");
        if (negative || text.startsWith("+")) {
            at = 1;
        }
        if (text.substring(at).equals("0")) {
            return Duration.ZERO;
        }
        if (at == text.length()) {
            throw wrong("not a duration: write a number with a unit, such as 30s");
        }
        long total = 0;
        while (at < text.length()) {
            total = add(total, part());
        }
        return Duration.ofNanos(negative ? -total : total);
    }

    /** A number with its unit, in nanoseconds. */
    private long part() {
        int start = at;
        long whole = 0;
        for (; at < text.length() && isDigit(text.charAt(at)); at++) {
            whole = add(multiply(whole, 10), text.charAt(at) - '0');
        }
        int digits = at - start;
        // The fraction goes through floating point as it does in Go, whose rounding lets 0.3333333333333333333h be 20 minutes.
        long fraction = 0;
        double scale = 1;
        if (at < text.length() && text.charAt(at) == '.') {
            for (at++; at < text.length() && isDigit(text.charAt(at)); at++, digits++) {
                if (fraction < Long.MAX_VALUE / 10) { // further digits do not count
                    fraction = fraction * 10 + (text.charAt(at) - '0');
                    scale *= 10;
                }
            }
        }
        if (digits == 0) {
            throw wrong("not a duration: write a number with a unit, such as 30s");
        }
        long unit = unit();
        return add(multiply(whole, unit), (long) (fraction * (unit / scale)));
    }

    private long unit() {
        int start = at;
        while (at < text.length() && text.charAt(at) != '.' && !isDigit(text.charAt(at))) {
            at++;
        }
        String name = text.substring(start, at);
        if (name.isEmpty()) {
            throw wrong("has no unit: write " + text + "s for seconds, or another unit of ms, s, m, h");
        }
        Long unit = UNITS.get(name);
        if (unit == null) {
            throw wrong("has the unknown unit \"" + name + "\": write one of ns, us, ms, s, m, h");
        }
        return unit;
    }

    private long add(long a, long b) {
        try {
            return Math.addExact(a, b);
        } catch (ArithmeticException e) {
            throw tooLong(e);
        }
    }

    private long multiply(long a, long b) {
        try {
            return Math.multiplyExact(a, b);
        } catch (ArithmeticException e) {
            throw tooLong(e);
        }
    }

    private IllegalArgumentException tooLong(ArithmeticException cause) {
        return new IllegalArgumentException("\"" + text + "\" is too long a duration: write at most 2562047h", cause);
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("\"" + text + "\" " + (what.startsWith("has") ? what : "is " + what));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Prints a duration, with units from hours down to nanoseconds and fractions only in the last. */
    public static String format(Duration duration) {
        if (duration.isNegative()) {
            return "-" + format(duration.negated());
        }
        long seconds = duration.getSeconds();
        int nanos = duration.getNano();
        if (seconds > 0) {
            String tail = decimal(seconds % 60, nanos, SECOND) + "s";
            long minutes = seconds / 60;
            return minutes == 0 ? tail : minutes < 60 ? minutes + "m" + tail : minutes / 60 + "h" + minutes % 60 + "m" + tail;
        }
        if (nanos == 0) {
            return "0s";
        }
        if (nanos < 1_000) {
            return nanos + "ns";
        }
        return nanos < 1_000_000 ? decimal(nanos / 1_000, nanos % 1_000, 1_000) + "\u00b5s"
            : decimal(nanos / 1_000_000, nanos % 1_000_000, 1_000_000) + "ms";
    }

    /** A number and a fraction of {@code unit} parts, without trailing zeros. */
    private static String decimal(long whole, long fraction, long unit) {
        if (fraction == 0) {
            return Long.toString(whole);
        }
        String digits = Long.toString(unit + fraction).substring(1);
        int end = digits.length();
        while (digits.charAt(end - 1) == '0') {
            end--;
        }
        return whole + "." + digits.substring(0, end);
    }
}
