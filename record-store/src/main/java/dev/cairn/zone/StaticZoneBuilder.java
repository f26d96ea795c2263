package dev.cairn.zone;

import dev.cairn.wire.Bytes;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gathers the records of a zone and links its names. Used by one thread, once. */
public final class StaticZoneBuilder {
    /** Keys of gathered sets: a type, or for signatures the type they cover beside this. */
    private static final int SIGNATURES = 0x10000;

    private final WireName origin;
    private final Map<WireName, Map<Integer, Gathered>> names = new HashMap<>();
    private int records;

    private static final class Gathered {
        private final Set<ByteBuffer> data = LinkedHashSet.newLinkedHashSet(1);
        private int ttl = Integer.MAX_VALUE;
    }

    public StaticZoneBuilder(WireName origin) {
        this.origin = origin;
    }

    /**
     * Adds a record of class IN, unless it is there already. The records of a set get the lowest of their TTLs (RFC 2181 section 5.2).
     *
     * @return false if the name is not in the zone, and so the record is left out
     * @throws IllegalArgumentException with a sentence for the user if the zone cannot be served with it
     */
    public boolean add(WireName owner, int type, long ttl, byte[] data) {
        if (type == DnsType.NSEC3 || type == DnsType.NSEC3PARAM) {
            throw new IllegalArgumentException(owner + " has " + DnsType.toText(type)
                    + ": zones with NSEC3 cannot be served; sign the zone with NSEC");
        }
        if (type == DnsType.SOA && !owner.equals(origin)) {
            throw new IllegalArgumentException("SOA owner " + owner + " does not match origin " + origin
                    + ": write @ for the owner, or name the zone in the Corefile as the file does");
        }
        if (!owner.isWithin(origin)) {
            return false;
        }
        int key = type == DnsType.RRSIG ? SIGNATURES | Bytes.u16(data, 0) : type;
        Gathered set = names.computeIfAbsent(owner, _ -> new LinkedHashMap<>()).computeIfAbsent(key, _ -> new Gathered());
        // RFC 2181 section 8: a TTL with the highest bit set counts as zero.
        set.ttl = Math.min(set.ttl, ttl < 0 || ttl > Integer.MAX_VALUE ? 0 : (int) ttl);
        if (type == DnsType.SOA) {
            set.data.clear();
        }
        if (set.data.add(ByteBuffer.wrap(data))) {
            records++;
        }
        return true;
    }

    /**
     * The zone.
     *
     * @throws IllegalArgumentException with a sentence for the user if there is no SOA or a record's data is broken
     */
    public StaticZone build() {
        if (!names.getOrDefault(origin, Map.of()).containsKey(DnsType.SOA)) {
            throw new IllegalArgumentException("has no SOA record for origin " + origin + ": add one");
        }
        Map<WireName, ZoneNode> nodes = new HashMap<>();
        names.forEach((owner, sets) -> nodes.put(owner, node(owner, sets)));
        for (WireName owner : names.keySet()) {
            for (WireName above = parent(owner); !owner.equals(origin) && !nodes.containsKey(above); above = parent(above)) {
                nodes.put(above, new ZoneNode(above, List.of(), List.of()));
            }
        }
        ZoneNode[] ordered = nodes.values().stream()
                .map(node -> Map.entry(CanonicalOrder.key(node.owner), node))
                .sorted(Map.Entry.comparingByKey(Arrays::compareUnsigned))
                .map(Map.Entry::getValue)
                .toArray(ZoneNode[]::new);
        StaticZone zone = new StaticZone(origin, NameMap.copyOf(nodes), ordered, records);
        for (ZoneNode node : ordered) { // parents come before their children
            link(node, nodes, zone);
        }
        return zone;
    }

    private static ZoneNode node(WireName owner, Map<Integer, Gathered> gathered) {
        List<ZoneSet> sets = new ArrayList<>();
        List<RrSet> strays = new ArrayList<>();
        gathered.forEach((key, set) -> {
            if (key >= SIGNATURES) {
                if (!gathered.containsKey(key - SIGNATURES)) {
                    strays.add(set(owner, DnsType.RRSIG, set));
                }
            } else {
                Gathered signatures = gathered.get(SIGNATURES | key);
                sets.add(new ZoneSet(set(owner, key, set), signatures == null ? null : set(owner, DnsType.RRSIG, signatures)));
            }
        });
        sets.sort(Comparator.comparingInt(set -> set.records.type()));
        return new ZoneNode(owner, sets, strays);
    }

    private static RrSet set(WireName owner, int type, Gathered gathered) {
        // More than one alias at a name is a mistake that others make, too; the first counts (RFC 1034 section 3.6.2).
        boolean single = type == DnsType.CNAME || type == DnsType.DNAME;
        List<byte[]> data = gathered.data.stream().limit(single ? 1 : Long.MAX_VALUE).map(ByteBuffer::array).toList();
        return RrSet.of(owner, type, DnsClass.IN, gathered.ttl, data);
    }

    private static WireName parent(WireName name) {
        byte[] bytes = new byte[name.length()];
        name.copyTo(bytes, 0);
        int label = bytes[0] + 1;
        return WireName.of(bytes, label, bytes.length - label);
    }

    private void link(ZoneNode node, Map<WireName, ZoneNode> nodes, StaticZone zone) {
        if (!node.owner.equals(origin)) {
            ZoneNode above = nodes.get(parent(node.owner));
            if (above != null) {
                node.cut = above.cut != null ? above.cut : above.dname != null ? above : node.find(DnsType.NS) != null ? node : null;
                if (isWildcard(node.owner)) {
                    above.wildcard = node;
                }
            }
        }
        for (ZoneSet set : node.sets) {
            set.additional = additional(set.records, nodes);
        }
        if (node.alias != null) {
            WireName target = nameIn(node.alias.records.data(0), 0);
            ZoneNode exact = target == null ? null : nodes.get(target);
            // Below a DNAME there is nothing but what it says, whatever else the file has.
            node.target = exact;
        }
        node.wildcardDenial = zone.denial(wildcardBelow(node.owner));
    }

    private static boolean isWildcard(WireName name) {
        byte[] bytes = new byte[name.length()];
        name.copyTo(bytes, 0);
        return bytes[0] == 1 && bytes[1] == '*';
    }

    private static byte[] wildcardBelow(WireName name) {
        byte[] wildcard = new byte[name.length() + 2];
        wildcard[0] = 1;
        wildcard[1] = '*';
        name.copyTo(wildcard, 2);
        return wildcard;
    }

    private static ZoneSet[] additional(RrSet set, Map<WireName, ZoneNode> nodes) {
        int at = switch (set.type()) {
            case DnsType.NS -> 0;
            case DnsType.MX, DnsType.SVCB, DnsType.HTTPS -> 2;
            case DnsType.SRV -> 6;
            default -> -1;
        };
        if (at < 0) {
            return ZoneSet.NONE;
        }
        List<ZoneSet> found = new ArrayList<>();
        for (int i = 0; i < set.count(); i++) {
            WireName target = nameIn(set.data(i), at);
            ZoneNode node = target == null ? null : nodes.get(target);
            for (int type : new int[] {DnsType.A, DnsType.AAAA}) {
                ZoneSet addresses = node == null ? null : node.find(type);
                if (addresses != null && !found.contains(addresses)) {
                    found.add(addresses);
                }
            }
        }
        return found.toArray(ZoneSet[]::new);
    }

    /** The name at a place in record data, null if there is none. */
    private static @Nullable WireName nameIn(byte[] data, int from) {
        int at = from;
        while (at < data.length && data[at] > 0) {
            at += data[at] + 1;
        }
        return at < data.length && data[at] == 0 ? WireName.of(data, from, at + 1 - from) : null;
    }
}
