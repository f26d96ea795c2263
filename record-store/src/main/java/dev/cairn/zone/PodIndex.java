package dev.cairn.zone;

import dev.cairn.facts.Address;
import dev.cairn.facts.PodFact;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The pods by their addresses. Changed by who holds the store's lock; any thread may ask. */
final class PodIndex {
    private final Map<Address, Set<PodFact>> byAddress = new ConcurrentHashMap<>();
    private final Map<String, PodFact> byName = new HashMap<>();

    /** The pods that have an address. */
    Set<PodFact> with(Address address) {
        return byAddress.getOrDefault(address, Set.of());
    }

    /** Puts a pod in the place of what it was; whether an address has come or gone by it. One that stays is never without its pod. */
    boolean put(PodFact pod) {
        PodFact before = byName.put(key(pod.namespace(), pod.name()), pod);
        for (Address address : pod.addresses()) {
            byAddress.compute(address, (_, those) -> replaced(those, before, pod));
        }
        for (Address address : before == null ? List.<Address>of() : before.addresses()) {
            if (!pod.addresses().contains(address)) {
                take(address, before);
            }
        }
        return before == null || !before.addresses().equals(pod.addresses());
    }

    private static Set<PodFact> replaced(@Nullable Set<PodFact> those, @Nullable PodFact before, PodFact pod) {
        Set<PodFact> all = new HashSet<>(those == null ? Set.of() : those);
        if (before != null) {
            all.remove(before);
        }
        all.add(pod);
        return Set.copyOf(all);
    }

    /** Removes a pod; whether it was there. */
    boolean remove(String namespace, String name) {
        PodFact pod = byName.remove(key(namespace, name));
        if (pod != null) {
            pod.addresses().forEach(address -> take(address, pod));
        }
        return pod != null;
    }

    private void take(Address address, @Nullable PodFact pod) {
        byAddress.computeIfPresent(address, (_, those) -> {
            Set<PodFact> left = new HashSet<>(those);
            left.remove(pod);
            return left.isEmpty() ? null : Set.copyOf(left);
        });
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }
}
