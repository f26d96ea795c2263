package dev.cairn.plugin.kubernetes;

import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.SliceFact;
import dev.cairn.log.Log;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Hands facts on, and logs once what was there when all was read. Called by one thread at a time, as any listener. */
final class FirstSync implements ClusterListener {
    private static final Log LOG = Log.plugin("kubernetes");

    private final ClusterListener next;
    private final Set<Resource> awaited;
    private final Supplier<String> place;
    private final LongSupplier nanoClock;
    private final long begun;
    private final Map<Resource, Integer> counts = new EnumMap<>(Resource.class);
    private long endpoints;

    /**
     * Begins to count.
     *
     * @param wanted the kinds that make it complete
     * @param place where the facts come from, as far as known when all is read
     */
    FirstSync(ClusterListener next, Set<Resource> wanted, Supplier<String> place, LongSupplier nanoClock) {
        this.next = next;
        this.awaited = EnumSet.copyOf(wanted);
        this.place = place;
        this.nanoClock = nanoClock;
        this.begun = nanoClock.getAsLong();
    }

    @Override
    public void put(Fact fact) {
        next.put(fact);
        if (awaited.contains(fact.resource())) {
            counts.merge(fact.resource(), 1, Integer::sum);
            endpoints += fact instanceof SliceFact slice ? slice.endpoints().size() : 0;
        }
    }

    @Override
    public void remove(Resource resource, String namespace, String name) {
        next.remove(resource, namespace, name);
    }

    @Override
    public void synced(Resource resource) {
        next.synced(resource);
        if (awaited.remove(resource)) {
            counts.putIfAbsent(resource, 0);
            if (awaited.isEmpty()) {
                long millis = TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - begun);
                LOG.info("synced " + counted() + " from " + place.get() + " in " + millis + " ms");
            }
        }
    }

    private String counted() {
        List<String> parts = new ArrayList<>();
        counts.forEach((resource, count) -> {
            String words = switch (resource) {
                case NAMESPACES -> count(count, "namespace");
                case SERVICES -> count(count, "service");
                case SLICES -> count(count, "endpoint slice") + " with " + count(endpoints, "endpoint");
                case PODS -> count(count, "pod");
                case IMPORTS -> count(count, "service import");
                case NODES -> count(count, "node");
                case SERVICE_RANGES -> count(count, "service range");
            };
            parts.add(words);
        });
        return String.join(", ", parts);
    }

    private static String count(long count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }
}
