package dev.cairn.plugin;

import dev.cairn.chain.Exchange;
import org.jspecify.annotations.Nullable;

/** Where a metadata label finds its value. Called only if somebody uses the label, on the thread that has the exchange. */
@FunctionalInterface
public interface MetadataValue {
    /** The value for this query; null if there is none. */
    @Nullable String of(Exchange exchange);
}
