package dev.cairn.plugin.hosts;

import dev.cairn.chain.Dispatcher;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import dev.cairn.zone.NameMap;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Record sets of one type while a hosts file is read; owned by the thread that reads. Nearly all names have one record, so its set is
 * made at once, and only names that turn out to have several cost more while reading.
 */
final class GatheredSets {
    private final int type;
    private final int ttl;
    private final Map<WireName, RrSet> sets = new HashMap<>();
    private final Map<WireName, Several> several = new HashMap<>();

    private static final class Several {
        private final Set<ByteBuffer> data = new LinkedHashSet<>();
        private int size;

        /** A set holds a record once (RFC 2181 section 5). */
        boolean add(byte[] one) {
            // More than a reply can hold is of no use: a list of 100,000 blocked names has as many PTR records for 0.0.0.0.
            if (size + RrSet.RECORD_HEAD + one.length > Dispatcher.MAX_TCP_SIZE - 512 || !data.add(ByteBuffer.wrap(one))) {
                return false;
            }
            size += RrSet.RECORD_HEAD + one.length;
            return true;
        }
    }

    GatheredSets(int type, int ttl) {
        this.type = type;
        this.ttl = ttl;
    }

    /** Adds a record; returns whether it is a new one. */
    boolean add(WireName owner, byte[] data) {
        Several more = several.isEmpty() ? null : several.get(owner);
        if (more == null) {
            RrSet first = sets.putIfAbsent(owner, Rdata.single(owner, type, ttl, data));
            if (first == null) {
                return true;
            }
            more = new Several();
            more.add(first.data(0));
            several.put(owner, more);
        }
        return more.add(data);
    }

    NameMap<RrSet> build() {
        several.forEach((owner, more) ->
                sets.put(owner, RrSet.of(owner, type, DnsClass.IN, ttl, more.data.stream().map(ByteBuffer::array).toList())));
        several.clear();
        return NameMap.copyOf(sets);
    }
}
