package dev.cairn.zone;

import dev.cairn.wire.RrSet;
import org.jspecify.annotations.Nullable;

/** The records of one name and type in a zone, with what goes along with them. Immutable once its zone is made. */
final class ZoneSet {
    static final ZoneSet[] NONE = {};

    final RrSet records;
    /** The RRSIG records that cover the set. */
    final @Nullable RrSet signatures;
    /** The addresses of the names in the records, as far as the zone has them. */
    ZoneSet[] additional = NONE;

    ZoneSet(RrSet records, @Nullable RrSet signatures) {
        this.records = records;
        this.signatures = signatures;
    }
}
