package dev.cairn.plugin.cache;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * How a question below ended.
 *
 * @param inner the exchange it was asked with; null if the answer was in the store after all
 * @param refreshes whether it may take the place of an answer that has expired
 */
record Outcome(@Nullable Exchange inner, CachedAnswer answer, boolean refreshes) {
    boolean isDropped() {
        return inner != null && inner.isDropped();
    }

    /** Whether the answer is one for this client, too: some are made for a single one, and one cut for UDP is none over TCP. */
    boolean suits(Waiter waiter) {
        if (inner == null || waiter.isFirst()) {
            return true;
        }
        Plugin by = inner.answeredBy();
        boolean cut = answer.isTruncated() && inner.protocol() == Protocol.UDP && waiter.exchange().protocol() != Protocol.UDP;
        return !cut && (by == null || by.cacheable());
    }
}
