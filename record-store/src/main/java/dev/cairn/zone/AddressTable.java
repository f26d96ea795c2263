package dev.cairn.zone;

import dev.cairn.facts.Address;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A hash table from addresses of one family to objects: keys in an array of numbers, at most half full. One thread writes, in place; readers take no
 * lock. A place keeps its key for ever, so that a reader never sees one address's value under another; what was removed makes room when the
 * table is rebuilt, which happens shard by shard.
 */
final class AddressTable {
    private static final int SHARD_BITS = 10;
    private static final int SMALLEST = 8;
    private static final Object REMOVED = new Object();
    private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle SHARD = MethodHandles.arrayElementVarHandle(Shard[].class);

    private final int words;
    private final Shard[] shards = new Shard[1 << SHARD_BITS];

    /** @param words numbers in an address: 1 in IPv4, 4 in IPv6 */
    AddressTable(int words) {
        this.words = words;
    }

    /** Keys and values side by side. */
    private static final class Shard {
        private final int[] keys;
        private final Object[] values;
        private int used;

        Shard(int capacity, int words) {
            keys = new int[capacity * words];
            values = new Object[capacity];
        }
    }

    private int hash(long high, long low) {
        long mixed = (low ^ (high * 0x9E3779B97F4A7C15L)) * 0x9E3779B97F4A7C15L;
        return (int) (mixed ^ mixed >>> 32);
    }

    @SuppressWarnings("ReferenceEquality") // a mark
    private static boolean isRemoved(Object value) {
        return value == REMOVED;
    }

    private static int shardOf(int hash) {
        return hash >>> -SHARD_BITS;
    }

    /** The value of an address, given by its numbers; null if there is none. */
    @Nullable Object get(long high, long low) {
        int hash = hash(high, low);
        Shard shard = (Shard) SHARD.getAcquire(shards, shardOf(hash));
        int place = shard == null ? -1 : find(shard, high, low, hash);
        if (shard == null || place < 0) {
            return null;
        }
        Object value = VALUE.getAcquire(shard.values, place);
        return isRemoved(value) ? null : value;
    }

    /** Puts a value in the place of what a reader saw there; does nothing if that has changed. Any thread may do this. */
    void replace(long high, long low, Object seen, Object value) {
        int hash = hash(high, low);
        Shard shard = (Shard) SHARD.getAcquire(shards, shardOf(hash));
        int place = shard == null ? -1 : find(shard, high, low, hash);
        if (shard != null && place >= 0) {
            VALUE.compareAndSet(shard.values, place, seen, value);
        }
    }

    /** The place that has the key, which it will always have; -1 if there is none. For any thread. */
    private int find(Shard shard, long high, long low, int hash) {
        int mask = shard.values.length - 1;
        for (int place = hash & mask; VALUE.getAcquire(shard.values, place) != null; place = (place + 1) & mask) {
            if (matches(shard, place, high, low)) {
                return place;
            }
        }
        return -1;
    }

    private boolean matches(Shard shard, int place, long high, long low) {
        int[] keys = shard.keys;
        int at = place * words;
        return keys[at] == (int) low
                && (words == 1 || (keys[at + 1] == (int) (low >>> 32) && keys[at + 2] == (int) high && keys[at + 3] == (int) (high >>> 32)));
    }

    // What follows is for the one thread that writes, which need not ask for what it wrote in the order in which it wrote it: VarHandles are slow
    // until the second compiler has met them, and a large cluster is read before.

    /** What {@link #get} says, to the thread that writes. */
    @Nullable Object own(long high, long low) {
        int hash = hash(high, low);
        Shard shard = shards[shardOf(hash)];
        Object value = shard == null ? null : shard.values[place(shard, high, low, hash)];
        return value == null || isRemoved(value) ? null : value;
    }

    /** Sets the value of an address. */
    void put(long high, long low, Object value) {
        int hash = hash(high, low);
        Shard shard = shards[shardOf(hash)];
        put(shard, shard == null ? 0 : place(shard, high, low, hash), hash, high, low, value);
    }

    /** Sets the value of an address that has none, and returns null; if it has one, returns that and changes nothing. */
    @Nullable Object putIfAbsent(long high, long low, Object value) {
        int hash = hash(high, low);
        Shard shard = shards[shardOf(hash)];
        int place = shard == null ? 0 : place(shard, high, low, hash);
        Object there = shard == null ? null : shard.values[place];
        if (there != null && !isRemoved(there)) {
            return there;
        }
        put(shard, place, hash, high, low, value);
        return null;
    }

    /** @param place what {@link #place} says, if there is a shard */
    private void put(@Nullable Shard shard, int place, int hash, long high, long low, Object value) {
        boolean isNew = shard == null || shard.values[place] == null;
        if (shard == null || (isNew && shard.used * 2 >= shard.values.length)) {
            Shard larger = rebuilt(shard);
            SHARD.setRelease(shards, shardOf(hash), larger);
            set(larger, place(larger, high, low, hash), true, high, low, value);
        } else {
            set(shard, place, isNew, high, low, value);
        }
    }

    private void set(Shard shard, int place, boolean isNew, long high, long low, Object value) {
        if (isNew) {
            write(shard, place, high, low);
        }
        VALUE.setRelease(shard.values, place, value);
    }

    /** Takes an address out. */
    void remove(long high, long low) {
        int hash = hash(high, low);
        Shard shard = shards[shardOf(hash)];
        int place = shard == null ? 0 : place(shard, high, low, hash);
        if (shard != null && shard.values[place] != null) {
            VALUE.setRelease(shard.values, place, REMOVED);
        }
    }

    /** The place that has the key, or the free one that it would take. */
    private int place(Shard shard, long high, long low, int hash) {
        int mask = shard.values.length - 1;
        int place = hash & mask;
        while (shard.values[place] != null && !matches(shard, place, high, low)) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private void write(Shard shard, int place, long high, long low) {
        int at = place * words;
        shard.keys[at] = (int) low;
        if (words > 1) {
            shard.keys[at + 1] = (int) (low >>> 32);
            shard.keys[at + 2] = (int) high;
            shard.keys[at + 3] = (int) (high >>> 32);
        }
        shard.used++;
    }

    private Shard rebuilt(@Nullable Shard before) {
        if (before == null) {
            return new Shard(SMALLEST, words);
        }
        int live = 0;
        for (Object value : before.values) {
            live += value != null && !isRemoved(value) ? 1 : 0;
        }
        Shard after = new Shard(Math.max(SMALLEST, Integer.highestOneBit(live + 1) * 4), words);
        for (int i = 0; i < before.values.length; i++) {
            Object value = before.values[i];
            if (value != null && !isRemoved(value)) {
                long low = words == 1 ? Integer.toUnsignedLong(before.keys[i]) : number(before.keys, i * words);
                long high = words == 1 ? 0 : number(before.keys, i * words + 2);
                int place = place(after, high, low, hash(high, low));
                write(after, place, high, low);
                after.values[place] = value;
            }
        }
        return after;
    }

    private static long number(int[] keys, int at) {
        return (long) keys[at + 1] << 32 | Integer.toUnsignedLong(keys[at]);
    }
}
