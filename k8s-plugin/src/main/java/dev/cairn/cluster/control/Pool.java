package dev.cairn.cluster.control;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Things of which each is given to one owner. The choice for an owner depends on its name alone as long as no other has taken it, so the
 * same owners in the same order get the same things again, after a restart, too. An owner that comes later in time, but earlier in that order, may then get what
 * another had, if both names fall on it: without a memory on disk, nobody knows who was first. Used by one thread.
 */
final class Pool<T> {
    private final int size;
    private final int band;
    private final IntFunction<T> at;
    private final Set<T> taken = new HashSet<>();

    /** Takes how many things there are, and how many of the first are left to those who choose until nothing else is free. */
    Pool(int size, int band, IntFunction<T> at) {
        this.size = size;
        this.band = Math.min(band, size);
        this.at = at;
    }

    boolean isTaken(T thing) {
        return taken.contains(thing);
    }

    /** Takes it if it is free. */
    boolean take(T thing) {
        return taken.add(thing);
    }

    /** Takes a free one for an owner; null if there is none. */
    @Nullable T takeFor(String owner) {
        CRC32C hash = new CRC32C();
        hash.update(owner.getBytes(StandardCharsets.UTF_8));
        T above = probe(hash.getValue(), band, size - band);
        return above != null ? above : probe(hash.getValue(), 0, band);
    }

    private @Nullable T probe(long start, int from, int count) {
        for (int i = 0; i < count; i++) {
            T candidate = at.apply(from + (int) ((start + i) % count));
            if (taken.add(candidate)) {
                return candidate;
            }
        }
        return null;
    }
}
