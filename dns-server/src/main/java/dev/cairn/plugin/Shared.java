package dev.cairn.plugin;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What the blocks of one configuration have in common, while they are set up; by type, so that each plugin has its own. */
public final class Shared {
    private final Map<Class<?>, Object> byType = new HashMap<>();

    /** The one object of this type, made by {@code first} for the block that asks first. */
    <T> T get(Class<T> type, Supplier<T> first) {
        return type.cast(byType.computeIfAbsent(type, _ -> first.get()));
    }
}
