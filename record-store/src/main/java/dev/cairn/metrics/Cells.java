package dev.cairn.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The numbers behind counters and histograms: one array per thread, each written by its thread alone, all added up by readers.
 *
 * <p>A cell is an index that is valid in every thread's array. A thread's array grows only by its own hand; the old array stays readable
 * for a reader that still holds it. What a thread counted outlives it: arrays of ended threads are folded into one.
 */
final class Cells {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    /** Unused cells at the head of each array: a collector may lay two threads' arrays side by side, and they must not share a line. */
    private static final int PADDING = 8;

    private static final int SMALLEST = 64;

    private final Object lock = new Object();

    @SuppressWarnings("ThreadLocalUsage") // one registry lives as long as the process; the others are in tests
    private final ThreadLocal<Shard> own = ThreadLocal.withInitial(this::enlist);

    // All below guarded by lock.
    private final List<Shard> shards = new ArrayList<>();
    private long[] ended = new long[0];
    private int allocated = PADDING;
    private int foldAt = 16;

    /** Reserves neighbouring cells for good and returns the first. */
    int allocate(int count) {
        synchronized (lock) {
            int first = allocated;
            allocated = Math.addExact(allocated, count);
            return first;
        }
    }

    /** The calling thread's array, long enough to hold {@code last}. Write to it with {@link #add} and do not keep it. */
    long[] ofThisThread(int last) {
        Shard shard = own.get();
        long[] cells = shard.cells;
        return last < cells.length ? cells : grow(shard, last);
    }

    /** Adds to a cell of an array got from {@link #ofThisThread}. There is no other writer, so plain addition loses nothing. */
    static void add(long[] cells, int cell, long n) {
        CELL.setOpaque(cells, cell, (long) CELL.getOpaque(cells, cell) + n);
    }

    /** The sums over all threads, indexed by cell. */
    long[] totals() {
        synchronized (lock) {
            foldEnded();
            long[] sums = Arrays.copyOf(ended, allocated);
            for (Shard shard : shards) {
                addAll(shard.cells, sums);
            }
            return sums;
        }
    }

    long total(int cell) {
        synchronized (lock) {
            long sum = at(ended, cell);
            for (Shard shard : shards) {
                sum += at(shard.cells, cell);
            }
            return sum;
        }
    }

    /** Reads a cell that may have been allocated after the array was made, and is zero then. */
    static long at(long[] cells, int cell) {
        return cell < cells.length ? (long) CELL.getOpaque(cells, cell) : 0;
    }

    /** How many threads have an array of their own; for tests. */
    int shardCount() {
        synchronized (lock) {
            return shards.size();
        }
    }

    private Shard enlist() {
        synchronized (lock) {
            // Nobody may ever scrape, so short-lived threads are also cleared here: at most half of the list is dead.
            if (shards.size() >= foldAt) {
                foldEnded();
                foldAt = Math.max(16, 2 * shards.size());
            }
            Shard shard = new Shard(Thread.currentThread(), new long[roundUp(allocated)]);
            shards.add(shard);
            return shard;
        }
    }

    private long[] grow(Shard shard, int last) {
        long[] cells = shard.cells;
        int needed;
        synchronized (lock) {
            needed = Math.max(allocated, last + 1);
        }
        long[] bigger = Arrays.copyOf(cells, roundUp(Math.max(needed, cells.length + (cells.length >> 1))));
        shard.cells = bigger;
        return bigger;
    }

    private void foldEnded() {
        shards.removeIf(shard -> {
            // A false isAlive() happens after all the thread did, so its last increments are in.
            if (shard.thread.isAlive()) {
                return false;
            }
            if (ended.length < allocated) {
                ended = Arrays.copyOf(ended, allocated);
            }
            addAll(shard.cells, ended);
            return true;
        });
    }

    private static void addAll(long[] from, long[] to) {
        int n = Math.min(from.length, to.length);
        for (int i = PADDING; i < n; i++) {
            to[i] += (long) CELL.getOpaque(from, i);
        }
    }

    private static int roundUp(int length) {
        return Math.max(SMALLEST, (length + 7) & ~7);
    }

    /** One thread's array; the field is written by that thread only. */
    private static final class Shard {
        final Thread thread;
        volatile long[] cells;

        Shard(Thread thread, long[] cells) {
            this.thread = thread;
            this.cells = cells;
        }
    }
}
