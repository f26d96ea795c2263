package dev.cairn.plugin;

import java.util.Map;

/** A plugin that knows more about a query than the query tells, and shares it with others of its block by label. */
public interface MetadataProvider {
    /** Labels of the form {@code plugin/name}, and where each finds its value. Asked when the block starts, not per query. */
    Map<String, MetadataValue> metadata();
}
