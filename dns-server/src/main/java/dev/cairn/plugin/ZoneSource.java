package dev.cairn.plugin;

import dev.cairn.wire.WireName;
import org.jspecify.annotations.Nullable;

/** A plugin whose zones {@code transfer} may hand to other servers. */
public interface ZoneSource {
    /** Whether this is the apex of a zone of the plugin's. */
    boolean hasZone(WireName zone);

    /** The zone as it is now; null if it is not known yet, or no longer. */
    @Nullable ZoneContent content(WireName zone);

    /** Whether the plugin tells each {@link ZoneListener} when a zone has changed; others have to be looked at. */
    default boolean tellsChanges() {
        return false;
    }
}
