package dev.cairn.plugin;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What plugins have in common, by type, so that each plugin has its own: over the blocks of one configuration while they are set up, or over
 * the life of the process.
 */
public final class Shared {
    private final Map<Class<?>, Object> byType = new HashMap<>();

    /** The one object of this type, made by {@code first} for the block that asks first. */
    public synchronized <T> T get(Class<T> type, Supplier<T> first) {
        return type.cast(byType.computeIfAbsent(type, _ -> first.get()));
    }
}
