package dev.cairn.zone;

import dev.cairn.facts.Address;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.IpAddress;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * PTR records of the cluster's addresses, in shards that are copied when an address in them changes. One thread changes it; readers take one
 * volatile read.
 */
final class PointerIndex {
    private static final int SHARDS = 1024;

    private static final WireName IPV4 = WireName.parse("in-addr.arpa.");
    private static final WireName IPV6 = WireName.parse("ip6.arpa.");

    private final int ttl;
    private final ConcurrentSkipListSet<Address> ipv4Addresses = new ConcurrentSkipListSet<>();
    private final ConcurrentSkipListSet<Address> ipv6Addresses = new ConcurrentSkipListSet<>();
    private final Map<Address, Map<String, Set<WireName>>> services = new HashMap<>();
    private final Map<Address, Map<String, Set<WireName>>> endpoints = new HashMap<>();
    private final AtomicReferenceArray<Map<WireName, RrSet>> entries = new AtomicReferenceArray<>(SHARDS);
    private final AtomicReferenceArray<NameMap<RrSet>> shards = new AtomicReferenceArray<>(SHARDS);

    PointerIndex(int ttl) {
        this.ttl = ttl;
        for (int i = 0; i < SHARDS; i++) {
            entries.set(i, new HashMap<>());
            shards.set(i, NameMap.copyOf(Map.of()));
        }
    }

    @Nullable RrSet find(QueryView query) {
        return shards.get(query.nameHash() & (SHARDS - 1)).get(query);
    }

    /** Whether there are PTR records below the question's name, which then exists (RFC 8020). */
    boolean hasBelow(QueryView query) {
        int labels = query.labelCount();
        boolean ipv4 = query.isWithin(IPV4);
        if (labels < 2 || (!ipv4 && !query.isWithin(IPV6)) || labels - 2 >= (ipv4 ? 4 : 32)) {
            return false;
        }
        byte[] prefix = new byte[ipv4 ? 4 : 16];
        for (int i = 0; i < labels - 2; i++) {
            int part = part(query, labels - 3 - i, ipv4);
            if (part < 0) {
                return false;
            }
            prefix[ipv4 ? i : i / 2] |= (byte) (ipv4 || i % 2 == 1 ? part : part << 4);
        }
        Address next = (ipv4 ? ipv4Addresses : ipv6Addresses).ceiling(Address.of(prefix));
        return next != null && startsWith(next.bytes(), prefix, (labels - 2) * (ipv4 ? 8 : 4));
    }

    /** The number that a label spells, an octet in decimal or a nibble in hexadecimal; -1 if it is none. */
    private static int part(QueryView query, int label, boolean ipv4) {
        int at = query.labelAt(label);
        int length = query.name()[at];
        if (length > (ipv4 ? 3 : 1)) {
            return -1;
        }
        int value = 0;
        for (int i = 1; i <= length; i++) {
            int digit = Character.digit(query.name()[at + i], ipv4 ? 10 : 16);
            if (digit < 0) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value > 255 ? -1 : value;
    }

    private static boolean startsWith(byte[] address, byte[] prefix, int bits) {
        int whole = bits / 8;
        return Arrays.equals(address, 0, whole, prefix, 0, whole) && (bits % 8 == 0 || (address[whole] & 0xf0) == (prefix[whole] & 0xf0));
    }

    /** Replaces what a service, named by {@code key}, says of addresses. */
    void change(String key, @Nullable ServiceNames before, @Nullable ServiceNames after) {
        Set<Address> touched = new LinkedHashSet<>();
        if (before != null) {
            before.points().forEach(point -> remove(services, key, point, touched));
            before.endpoints().forEach(point -> remove(endpoints, key, point, touched));
        }
        if (after != null) {
            boolean headless = after.isHeadless();
            after.points().forEach(point -> add(headless ? endpoints : services, key, point, touched));
            after.endpoints().forEach(point -> add(endpoints, key, point, touched));
        }
        touched.forEach(this::publish);
    }

    private static void add(Map<Address, Map<String, Set<WireName>>> to, String key, ServicePoint point, Set<Address> touched) {
        to.computeIfAbsent(point.address(), _ -> new LinkedHashMap<>(2)).computeIfAbsent(key, _ -> new LinkedHashSet<>(2)).add(point.name());
        touched.add(point.address());
    }

    private static void remove(Map<Address, Map<String, Set<WireName>>> from, String key, ServicePoint point, Set<Address> touched) {
        Map<String, Set<WireName>> byService = from.get(point.address());
        if (byService != null && byService.remove(key) != null) {
            touched.add(point.address());
            if (byService.isEmpty()) {
                from.remove(point.address());
            }
        }
    }

    private void publish(Address address) {
        WireName name = IpAddress.reverseName(address.bytes());
        int shard = name.hashCode() & (SHARDS - 1);
        Set<WireName> targets = targets(address);
        Map<WireName, RrSet> all = entries.get(shard);
        Set<Address> ofFamily = address.isIpv4() ? ipv4Addresses : ipv6Addresses;
        if (targets.isEmpty()) {
            all.remove(name);
            ofFamily.remove(address);
        } else {
            ofFamily.add(address);
            all.put(name, RrSet.of(name, DnsType.PTR, DnsClass.IN, ttl, targets.stream().map(Rdata::name).toList()));
        }
        shards.set(shard, NameMap.copyOf(all));
    }

    /** A cluster IP has one name, the first service's; an endpoint one for each service that has it. */
    private Set<WireName> targets(Address address) {
        Map<String, Set<WireName>> byService = services.get(address);
        if (byService != null) {
            return Set.of(byService.values().iterator().next().iterator().next());
        }
        Set<WireName> all = new LinkedHashSet<>();
        endpoints.getOrDefault(address, Map.of()).values().forEach(all::addAll);
        return all;
    }
}
