package dev.cairn.bench.load;

import java.util.ArrayList;
import java.util.List;

/** Times from an event to what it has changed. */
final class Delays {
    private final List<Long> nanos = new ArrayList<>();

    void add(long delay) {
        nanos.add(delay);
    }

    void clear() {
        nanos.clear();
    }

    /** A percentile in milliseconds. */
    double millis(int percent) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100)) / 1e6;
    }
}
