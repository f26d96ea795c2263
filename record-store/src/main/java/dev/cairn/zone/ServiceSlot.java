package dev.cairn.zone;

import dev.cairn.wire.WireName;
import org.jspecify.annotations.Nullable;

/** The place of a service in a zone, in which its names change. One thread writes; null while the service has no name to tell. */
final class ServiceSlot {
    private final WireName owner;
    /** The owner's, at hand without a look at it. */
    private final int hash;
    private int changes;
    private volatile @Nullable ServiceNames names;

    ServiceSlot(WireName owner) {
        this.owner = owner;
        this.hash = owner.hashCode();
    }

    int hash() {
        return hash;
    }

    WireName owner() {
        return owner;
    }

    @Nullable ServiceNames names() {
        return names;
    }

    void names(@Nullable ServiceNames now) {
        if (now != null) {
            now.generation(++changes);
        }
        names = now;
    }
}
