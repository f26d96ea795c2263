package dev.cairn.plugin;

import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Values that each belong to a zone, found by a question's name. Immutable; finding one makes no garbage. */
public final class ZoneValues<V> {
    private final WireName[] zones;
    private final Object[] values;

    private ZoneValues(List<V> values, Function<V, WireName> zone) {
        this.zones = values.stream().map(zone).toArray(WireName[]::new);
        this.values = values.toArray();
    }

    /** The first value counts whose zone the question is in. */
    public static <V> ZoneValues<V> first(Collection<V> values, Function<V, WireName> zone) {
        return new ZoneValues<>(List.copyOf(values), zone);
    }

    /** The value of the longest zone counts that the question is in, of equal zones the first. */
    public static <V> ZoneValues<V> longest(Collection<V> values, Function<V, WireName> zone) {
        Comparator<V> longer = Comparator.comparingInt((V value) -> zone.apply(value).length()).reversed();
        return new ZoneValues<>(values.stream().sorted(longer).toList(), zone);
    }

    /** The value for a question; null if it is in none of the zones. */
    @SuppressWarnings("unchecked") // only what the constructor was given
    public @Nullable V of(QueryView query) {
        for (int i = 0; i < zones.length; i++) {
            if (query.isWithin(zones[i])) {
                return (V) values[i];
            }
        }
        return null;
    }
}
