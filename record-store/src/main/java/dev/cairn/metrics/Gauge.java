package dev.cairn.metrics;

/** A number that goes up and down. Any thread may set it; the last one wins. */
public final class Gauge {
    private volatile double value;

    Gauge() {}

    public void set(double v) {
        value = v;
    }

    double value() {
        return value;
    }
}
