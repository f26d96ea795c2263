package dev.cairn.zone;

import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An immutable map from names to values: open addressing, at most half full, looked up by bytes without making an object. */
public final class NameMap<V> {
    private final @Nullable WireName[] keys;
    private final Object[] values;
    private final int size;
    private final int mask;

    private NameMap(Map<WireName, V> entries) {
        int capacity = Integer.highestOneBit(Math.max(1, entries.size())) * 4;
        keys = new WireName[capacity];
        values = new Object[capacity];
        mask = capacity - 1;
        size = entries.size();
        entries.forEach((name, value) -> {
            int slot = name.hashCode() & mask;
            while (keys[slot] != null) {
                slot = (slot + 1) & mask;
            }
            keys[slot] = name;
            values[slot] = value;
        });
    }

    public static <V> NameMap<V> copyOf(Map<WireName, V> entries) {
        return new NameMap<>(entries);
    }

    public int size() {
        return size;
    }

    /** The value of the question's name. */
    public @Nullable V get(QueryView query) {
        return get(query.name(), 0, query.nameLength(), query.nameHash());
    }

    @SuppressWarnings("unchecked") // values come from the map given to the constructor
    public @Nullable V get(WireName name) {
        int slot = name.hashCode() & mask;
        while (keys[slot] != null && !name.equals(keys[slot])) {
            slot = (slot + 1) & mask;
        }
        return (V) values[slot];
    }

    /** The value of the name that begins with label {@code label} of the question's. */
    public @Nullable V getSuffix(QueryView query, int label) {
        int at = query.labelAt(label);
        int length = query.nameLength() - at;
        return get(query.name(), at, length, WireName.hash(query.name(), at, length));
    }

    /** The value of the lower-cased name at {@code at}, whose {@link WireName#hash} is {@code hash}. */
    @SuppressWarnings("unchecked") // values come from the map given to the constructor
    @Nullable V get(byte[] name, int at, int length, int hash) {
        for (int slot = hash & mask; ; slot = (slot + 1) & mask) {
            WireName key = keys[slot];
            if (key == null) {
                return null;
            }
            if (key.hashCode() == hash && key.matches(name, at, length)) {
                return (V) values[slot];
            }
        }
    }
}
