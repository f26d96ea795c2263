package dev.cairn.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Where values lie between two places of a picture. A linear axis begins at zero, a logarithmic one at a round value below the least.
 */
record Axis(double from, double to, double start, double end, boolean isLogarithmic) {
    private static final int[] ROUND = {1, 2, 5, 10};
    private static final int TICKS = 5;

    static Axis linear(double most, double start, double end) {
        return new Axis(0, step(most) * Math.ceil(most / step(most)), start, end, false);
    }

    static Axis logarithmic(double least, double most, double start, double end) {
        return new Axis(below(least), above(most), start, end, true);
    }

    /** A round step of which about five reach a value. */
    private static double step(double most) {
        double power = Math.pow(10, Math.floor(Math.log10(most / TICKS)));
        for (int round : ROUND) {
            if (round * power * TICKS >= most) {
                return round * power;
            }
        }
        return 10 * power;
    }

    private static double below(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        return value >= 5 * power ? 5 * power : value >= 2 * power ? 2 * power : power;
    }

    private static double above(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        return value <= power ? power : value <= 2 * power ? 2 * power : value <= 5 * power ? 5 * power : 10 * power;
    }

    double place(double value) {
        double part = isLogarithmic ? Math.log(Math.max(value, from) / from) / Math.log(to / from) : value / to;
        return start + (to == from ? 0 : part) * (end - start);
    }

    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        if (!isLogarithmic) {
            for (int i = 0; i * step(to) <= to * 1.0001; i++) {
                ticks.add(i * step(to));
            }
            return ticks;
        }
        boolean wide = to / from > 2000;
        for (double power = Math.pow(10, Math.floor(Math.log10(from))); power <= to; power *= 10) {
            for (int round : wide ? new int[] {1} : new int[] {1, 2, 5}) {
                if (round * power >= from * 0.9999 && round * power <= to * 1.0001) {
                    ticks.add(round * power);
                }
            }
        }
        return ticks;
    }
}
