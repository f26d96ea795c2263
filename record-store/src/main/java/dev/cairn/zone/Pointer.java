package dev.cairn.zone;

import dev.cairn.wire.RrSet;
import org.jspecify.annotations.Nullable;

/**
 * The PTR records of an address as they were made from the names of its services; made anew when one of these has changed. Immutable. It knows the names
 * it was made from by number only: they are many and large, and most addresses are asked for but once.
 */
final class Pointer {
    private final ServiceSlot[] slots;
    private final int[] seen;
    private final @Nullable RrSet records;

    /** @param seen the generation of the names that each of the slots had */
    Pointer(ServiceSlot[] slots, int[] seen, @Nullable RrSet records) {
        this.slots = slots;
        this.seen = seen;
        this.records = records;
    }

    boolean isCurrent() {
        for (int i = 0; i < slots.length; i++) {
            if (ServiceNames.generation(slots[i].names()) != seen[i]) {
                return false;
            }
        }
        return true;
    }

    @Nullable RrSet records() {
        return records;
    }

    ServiceSlot[] slots() {
        return slots;
    }
}
