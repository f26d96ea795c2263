package dev.cairn.plugin;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A plugin that knows more about a query than the query tells, and shares it with others of its block by label, of the form
 * {@code plugin/name}. Asked when the block starts, not per query.
 */
public interface MetadataProvider {
    /** The labels that are known beforehand, and where each finds its value. */
    default Map<String, MetadataValue> metadata() {
        return Map.of();
    }

    /** Where one label finds its value; null if it is unknown. For those whose labels cannot be listed. */
    default @Nullable MetadataValue metadata(String label) {
        return metadata().get(label);
    }
}
