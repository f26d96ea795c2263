package dev.cairn.zone;

import dev.cairn.wire.RrSet;
import org.jspecify.annotations.Nullable;

/** The PTR records of an address as they were made from the names of its services; made anew when one of these has changed. Immutable. */
final class Pointer {
    private final ServiceSlot[] slots;
    private final @Nullable ServiceNames[] seen;
    private final @Nullable RrSet records;

    /** @param seen the names that each of the slots had */
    Pointer(ServiceSlot[] slots, @Nullable ServiceNames[] seen, @Nullable RrSet records) {
        this.slots = slots;
        this.seen = seen;
        this.records = records;
    }

    boolean isCurrent() {
        for (int i = 0; i < slots.length; i++) {
            if (slots[i].names() != seen[i]) {
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
