package dev.cairn.plugin.hosts;

import dev.cairn.wire.DnsType;
import dev.cairn.wire.IpAddress;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import dev.cairn.zone.NameMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All records of a hosts file and the lines beside it, as sets that only need to be copied. Immutable. */
final class HostsTable {
    private final NameMap<RrSet> a;
    private final NameMap<RrSet> aaaa;
    private final NameMap<RrSet> ptr;
    /** Sets of wildcards, by the name that follows the asterisk. */
    private final NameMap<RrSet> wildA;
    private final NameMap<RrSet> wildAaaa;
    private final boolean hasWildcards;
    private final int entries;

    private HostsTable(Builder from) {
        a = from.a.build();
        aaaa = from.aaaa.build();
        ptr = from.ptr.build();
        wildA = from.wildA.build();
        wildAaaa = from.wildAaaa.build();
        hasWildcards = wildA.size() + wildAaaa.size() > 0;
        entries = from.entries;
    }

    static HostsTable empty() {
        return new Builder(List.of(), 0, false).build();
    }

    /** The records that answer the question, null if there are none. */
    @Nullable RrSet find(QueryView query) {
        return switch (query.type()) {
            case DnsType.A -> find(query, a, aaaa, wildA);
            case DnsType.AAAA -> find(query, aaaa, a, wildAaaa);
            case DnsType.PTR -> ptr.get(query);
            default -> null;
        };
    }

    /** A wildcard does not answer for a name that is there with the other family (RFC 4592 section 2.2.1). */
    private @Nullable RrSet find(QueryView query, NameMap<RrSet> exact, NameMap<RrSet> other, NameMap<RrSet> wild) {
        RrSet set = exact.get(query);
        return set != null || !hasWildcards || other.get(query) != null ? set : below(query, wild);
    }

    /** Whether the question's name has an address, so that a question for anything else has an empty answer. */
    boolean knows(QueryView query) {
        return a.get(query) != null
                || aaaa.get(query) != null
                || (hasWildcards && (below(query, wildA) != null || below(query, wildAaaa) != null));
    }

    private static @Nullable RrSet below(QueryView query, NameMap<RrSet> wild) {
        return query.labelCount() < 2 ? null : wild.getSuffix(query, 1);
    }

    /** The number of records. */
    int entries() {
        return entries;
    }

    /** Gathers records; owned by the thread that reads the file. */
    static final class Builder {
        private final List<WireName> zones;
        private final boolean reverse;
        private final GatheredSets a;
        private final GatheredSets aaaa;
        private final GatheredSets ptr;
        private final GatheredSets wildA;
        private final GatheredSets wildAaaa;
        private int entries;

        /**
         * @param zones names outside are left out
         * @param reverse whether addresses get PTR records
         */
        Builder(List<WireName> zones, int ttl, boolean reverse) {
            this.zones = zones;
            this.reverse = reverse;
            a = new GatheredSets(DnsType.A, ttl);
            aaaa = new GatheredSets(DnsType.AAAA, ttl);
            ptr = new GatheredSets(DnsType.PTR, ttl);
            wildA = new GatheredSets(DnsType.A, ttl);
            wildAaaa = new GatheredSets(DnsType.AAAA, ttl);
        }

        /**
         * Adds a name of an address.
         *
         * @throws IllegalArgumentException if the text is not a domain name
         */
        void add(byte[] address, byte[] text, int length) {
            WireName name = WireName.parse(text, 0, length);
            if (!isWithinZones(name)) {
                return;
            }
            boolean v4 = address.length == 4;
            if (length > 2 && text[0] == '*' && text[1] == '.') {
                count((v4 ? wildA : wildAaaa).add(WireName.parse(text, 2, length), address));
            } else {
                count((v4 ? a : aaaa).add(name, address));
                if (reverse) {
                    count(ptr.add(IpAddress.reverseName(address), Rdata.name(name)));
                }
            }
        }

        /** A loop, since it runs for each line, most of them before anything is compiled. */
        private boolean isWithinZones(WireName name) {
            for (WireName zone : zones) {
                if (name.isWithin(zone)) {
                    return true;
                }
            }
            return false;
        }

        private void count(boolean isNew) {
            entries += isNew ? 1 : 0;
        }

        HostsTable build() {
            return new HostsTable(this);
        }
    }
}
