package dev.cairn.proxy.plan;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which service has a frontend. Owned by the model's thread. */
final class Claims {
    private final Map<Frontend.Place, ServiceName> owners = new HashMap<>();
    /** Who else wants what another has, which is rare. */
    private final Map<Frontend.Place, TreeSet<ServiceName>> losers = new HashMap<>();
    private final Map<ServiceName, Set<Frontend.Place>> claimed = new HashMap<>();

    /**
     * What came of a claim.
     *
     * @param lost what the service does not get, and who has it
     * @param others services that lost or gained something by it and have to be planned again
     */
    record Result(Map<Frontend.Place, ServiceName> lost, Set<ServiceName> others) {}

    /** Replaces what a service claims by what its plan has; null gives everything back. */
    Result claim(ServiceName name, @Nullable ServicePlan plan) {
        Set<Frontend.Place> wanted = new HashSet<>();
        if (plan != null) {
            plan.ports().forEach(port -> port.frontends().forEach(frontend -> wanted.add(frontend.place())));
        }
        Result result = new Result(new LinkedHashMap<>(), new TreeSet<>());
        for (Frontend.Place place : claimed.getOrDefault(name, Set.of())) {
            if (!wanted.contains(place)) {
                release(place, name, result);
            }
        }
        wanted.forEach(place -> take(place, name, result));
        if (wanted.isEmpty()) {
            claimed.remove(name);
        } else {
            claimed.put(name, wanted);
        }
        return result;
    }

    private void take(Frontend.Place place, ServiceName name, Result result) {
        ServiceName owner = owners.putIfAbsent(place, name);
        if (owner == null || owner.equals(name)) {
            return;
        }
        TreeSet<ServiceName> waiting = losers.computeIfAbsent(place, _ -> new TreeSet<>());
        if (name.compareTo(owner) < 0) {
            owners.put(place, name);
            waiting.remove(name);
            waiting.add(owner);
            result.others().add(owner);
        } else {
            waiting.add(name);
            result.lost().put(place, owner);
        }
    }

    private void release(Frontend.Place place, ServiceName name, Result result) {
        TreeSet<ServiceName> waiting = losers.get(place);
        if (waiting != null) {
            waiting.remove(name);
        }
        if (name.equals(owners.get(place))) {
            ServiceName next = waiting == null ? null : waiting.pollFirst();
            if (next == null) {
                owners.remove(place);
            } else {
                owners.put(place, next);
                result.others().add(next);
            }
        }
        if (waiting != null && waiting.isEmpty()) {
            losers.remove(place);
        }
    }
}
