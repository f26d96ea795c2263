package dev.cairn.authority;

import dev.cairn.plugin.ZoneContent;
import dev.cairn.wire.WireName;
import dev.cairn.zone.StaticZone;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A zone that changes as a whole: one thread publishes a state, all others read it. */
public final class LiveZone {
    private final WireName origin;
    private final WireName[] through;
    private final String unknown;
    private volatile @Nullable StaticZone state;

    /** @param through where questions for names that are not in the zone go to the next plugin */
    public LiveZone(WireName origin, List<WireName> through) {
        this.origin = origin;
        this.through = through.toArray(WireName[]::new);
        this.unknown = "zone " + origin + " is not there yet, or has expired";
    }

    public WireName origin() {
        return origin;
    }

    WireName[] through() {
        return through;
    }

    /** What to tell the operator while there is no state. */
    String unknown() {
        return unknown;
    }

    /** The zone as it is now; null if it is not known yet, or no longer. */
    public @Nullable StaticZone state() {
        return state;
    }

    public void publish(@Nullable StaticZone next) {
        state = next;
    }

    /** The zone for another server. */
    public @Nullable ZoneContent content() {
        StaticZone now = state;
        return now == null ? null : new ZoneContent(now.soa(), now.sets());
    }
}
