package dev.cairn.proxy.health;

import java.util.Arrays;

/** Counts values by their size. Not safe for threads; its owner sees to that. */
final class Histogram {
    private final String name;
    private final String help;
    private final double[] limits;
    private final long[] buckets;
    private double sum;
    private long count;

    Histogram(String name, String help, double... limits) {
        this.name = name;
        this.help = help;
        this.limits = limits.clone();
        buckets = new long[limits.length];
    }

    /** kube-proxy's limits for its own work: from a millisecond on, each twice the one before. */
    static double[] doubling() {
        double[] limits = new double[15];
        Arrays.setAll(limits, i -> 0.001 * (1 << i));
        return limits;
    }

    /** kube-proxy's limits for the time from a change in the cluster to the kernel. */
    static double[] network() {
        double[] limits = new double[80];
        Arrays.setAll(limits, i -> i < 2 ? 0.25 * (i + 1) : i < 61 ? i - 1 : i < 73 ? 60 + 5.0 * (i - 61) : 120 + 30.0 * (i - 73));
        return limits;
    }

    void add(double value) {
        sum += value;
        count++;
        for (int i = 0; i < limits.length; i++) {
            buckets[i] += value <= limits[i] ? 1 : 0;
        }
    }

    /** Appends it in the text form of Prometheus. */
    void print(StringBuilder text) {
        text.append("# HELP ").append(name).append(' ').append(help).append("\n# TYPE ").append(name).append(" histogram\n");
        for (int i = 0; i < limits.length; i++) {
            text.append(name).append("_bucket{le=\"").append(limits[i]).append("\"} ").append(buckets[i]).append('\n');
        }
        text.append(name).append("_bucket{le=\"+Inf\"} ").append(count).append('\n');
        text.append(name).append("_sum ").append(sum).append('\n').append(name).append("_count ").append(count).append('\n');
    }
}
