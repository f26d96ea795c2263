package dev.cairn.zone;

import dev.cairn.wire.DnsType;
import dev.cairn.wire.RrSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind a name of the cluster: ready-made record sets by type. A name that has none exists all the same (RFC 8020) and is
 * {@link #EMPTY}. Immutable.
 *
 * @param additional addresses of the targets of {@code srv}
 * @param alias the name that an external name stands for
 */
public record NameEntry(
        @Nullable RrSet a, @Nullable RrSet aaaa, @Nullable RrSet srv, List<RrSet> additional, @Nullable RrSet alias) {
    public static final NameEntry EMPTY = new NameEntry(null, null, null, List.of(), null);

    /** The records of a type, null if there are none. */
    public @Nullable RrSet records(int type) {
        return switch (type) {
            case DnsType.A -> a;
            case DnsType.AAAA -> aaaa;
            case DnsType.SRV -> srv;
            case DnsType.CNAME -> alias;
            default -> null;
        };
    }
}
