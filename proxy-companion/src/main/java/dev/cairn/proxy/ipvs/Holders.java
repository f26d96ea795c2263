package dev.cairn.proxy.ipvs;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Counts how many services have a thing, such as an address. Used by one thread. */
final class Holders<T> {
    private final Map<T, Integer> counts = new HashMap<>();

    void add(Collection<T> things) {
        things.forEach(thing -> counts.merge(thing, 1, Integer::sum));
    }

    void remove(Collection<T> things) {
        things.forEach(thing -> counts.computeIfPresent(thing, (_, count) -> count == 1 ? null : count - 1));
    }

    boolean has(T thing) {
        return counts.containsKey(thing);
    }

    Set<T> all() {
        return counts.keySet();
    }
}
