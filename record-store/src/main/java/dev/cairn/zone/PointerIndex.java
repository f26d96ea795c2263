package dev.cairn.zone;

import dev.cairn.facts.Address;
import dev.cairn.wire.DnsClass;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.IpAddress;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * PTR records of the cluster's addresses, in shards that are copied when an address in them changes. One thread changes it; readers take one
 * volatile read.
 */
final class PointerIndex {
    private static final int SHARDS = 1024;

    private final int ttl;
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
        if (targets.isEmpty()) {
            all.remove(name);
        } else {
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
