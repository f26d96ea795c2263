package dev.cairn.zone;

import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An immutable map from names to values: open addressing, at most half full, looked up by bytes without making an object. */
public final class NameMap<V> {
    /** Each name with its value behind it, so that who finds the one has the other at hand. */
    private final @Nullable Object[] slots;
    private final int size;
    private final int mask;

    private NameMap(Map<WireName, V> entries) {
        int capacity = Integer.highestOneBit(Math.max(1, entries.size())) * 4;
        slots = new Object[2 * capacity];
        mask = 2 * capacity - 1;
        size = entries.size();
        entries.forEach((name, value) -> {
            int slot = first(name.hashCode());
            while (slots[slot] != null) {
                slot = next(slot);
            }
            slots[slot] = name;
            slots[slot + 1] = value;
        });
    }

    private int first(int hash) {
        return (hash << 1) & mask;
    }

    private int next(int slot) {
        return (slot + 2) & mask;
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
        int slot = first(name.hashCode());
        while (slots[slot] != null && !name.equals(slots[slot])) {
            slot = next(slot);
        }
        return (V) slots[slot + 1];
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
        for (int slot = first(hash); ; slot = next(slot)) {
            WireName key = (WireName) slots[slot];
            if (key == null) {
                return null;
            }
            if (key.hashCode() == hash && key.matches(name, at, length)) {
                return (V) slots[slot + 1];
            }
        }
    }
}
