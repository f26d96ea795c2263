package dev.cairn.zone;

import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The services of a namespace by their names: open addressing, at most half full. One thread adds, in place, so that a namespace of many
 * services is filled without copying it for each; readers take no lock. Slots without names make room when the table grows.
 */
final class ServiceTable {
    private static final int SMALLEST = 8;

    private volatile AtomicReferenceArray<ServiceSlot> slots = new AtomicReferenceArray<>(SMALLEST);
    private int used;

    /** The names of the service whose own name begins with label {@code label} of the question's. */
    @Nullable ServiceNames find(QueryView query, int label) {
        int at = query.labelAt(label);
        int length = query.nameLength() - at;
        int hash = WireName.hash(query.name(), at, length);
        AtomicReferenceArray<ServiceSlot> now = slots;
        int mask = now.length() - 1;
        for (int i = hash & mask; ; i = (i + 1) & mask) {
            ServiceSlot slot = now.getAcquire(i);
            if (slot == null) {
                return null;
            }
            if (slot.hash() == hash && slot.owner().matches(query.name(), at, length)) {
                return slot.names();
            }
        }
    }

    /** The names of a service by its own. */
    @Nullable ServiceNames find(WireName owner) {
        AtomicReferenceArray<ServiceSlot> now = slots;
        int mask = now.length() - 1;
        for (int i = owner.hashCode() & mask; ; i = (i + 1) & mask) {
            ServiceSlot slot = now.getAcquire(i);
            if (slot == null || slot.owner().equals(owner)) {
                return slot == null ? null : slot.names();
            }
        }
    }

    // What follows is for the one thread that changes the table.

    /** The slot of a name, made if there is none. */
    ServiceSlot slot(WireName owner) {
        int place = place(slots, owner);
        ServiceSlot known = slots.getPlain(place);
        if (known != null) {
            return known;
        }
        if (used * 2 >= slots.length()) {
            rebuild();
            place = place(slots, owner);
        }
        ServiceSlot slot = new ServiceSlot(owner);
        slots.setRelease(place, slot);
        used++;
        return slot;
    }

    private static int place(AtomicReferenceArray<ServiceSlot> in, WireName owner) {
        int mask = in.length() - 1;
        int i = owner.hashCode() & mask;
        for (ServiceSlot slot = in.getPlain(i); slot != null && !slot.owner().equals(owner); slot = in.getPlain(i)) {
            i = (i + 1) & mask;
        }
        return i;
    }

    private void rebuild() {
        AtomicReferenceArray<ServiceSlot> before = slots;
        int live = 0;
        for (int i = 0; i < before.length(); i++) {
            ServiceSlot slot = before.getPlain(i);
            live += slot != null && slot.names() != null ? 1 : 0;
        }
        AtomicReferenceArray<ServiceSlot> after = new AtomicReferenceArray<>(Math.max(SMALLEST, Integer.highestOneBit(live + 1) * 4));
        for (int i = 0; i < before.length(); i++) {
            ServiceSlot slot = before.getPlain(i);
            if (slot != null && slot.names() != null) {
                after.setPlain(place(after, slot.owner()), slot);
            }
        }
        used = live;
        slots = after;
    }
}
