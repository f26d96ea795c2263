package dev.cairn.zone;

import dev.cairn.wire.DnsType;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One name of a zone, also one that exists only because there are names below it. The links to other names are made by
 * {@link StaticZoneBuilder}; after that it does not change.
 */
final class ZoneNode {
    final WireName owner;
    final ZoneSet[] sets;
    /** Signatures of sets that are not there; only asked for by themselves. */
    final RrSet[] strays;
    final @Nullable ZoneSet alias;
    final @Nullable ZoneSet dname;
    final @Nullable ZoneSet nsec;
    /** The name below that stands for all that do not exist. */
    @Nullable ZoneNode wildcard;
    /** The highest name, this one included, from which another zone begins, or the highest above it that has a DNAME. */
    @Nullable ZoneNode cut;
    /** What an alias leads to, if exactly that name is in the zone. */
    @Nullable ZoneNode target;
    /** The name whose NSEC tells that there is no wildcard below this one. */
    @Nullable ZoneNode wildcardDenial;

    ZoneNode(WireName owner, List<ZoneSet> sets, List<RrSet> strays) {
        this.owner = owner;
        this.sets = sets.toArray(ZoneSet[]::new);
        this.strays = strays.toArray(RrSet[]::new);
        alias = find(DnsType.CNAME);
        dname = find(DnsType.DNAME);
        nsec = find(DnsType.NSEC);
    }

    @Nullable ZoneSet find(int type) {
        for (ZoneSet set : sets) {
            if (set.records.type() == type) {
                return set;
            }
        }
        return null;
    }

    boolean isEmpty() {
        return sets.length == 0;
    }
}
