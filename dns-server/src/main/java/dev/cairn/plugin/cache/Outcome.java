package dev.cairn.plugin.cache;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * How a question below ended. Has of the exchange that it was asked with what others want to know, since that is used again.
 *
 * @param refreshes whether it may take the place of an answer that has expired
 * @param stored whether the answer was in the store after all; then the rest says nothing
 * @param cut whether the answer was cut for UDP
 */
record Outcome(CachedAnswer answer, boolean refreshes, boolean stored, boolean dropped, boolean cut, @Nullable Plugin answeredBy,
        @Nullable String upstream, @Nullable String error) {
    static Outcome asked(Exchange inner, CachedAnswer answer, boolean refreshes) {
        boolean cut = answer.isTruncated() && inner.protocol() == Protocol.UDP;
        return new Outcome(answer, refreshes, false, inner.isDropped(), cut, inner.answeredBy(), inner.upstream(), inner.error());
    }

    static Outcome stored(CachedAnswer answer) {
        return new Outcome(answer, true, true, false, false, null, null, null);
    }

    /** Whether the answer is one for this client, too: some are made for a single one, and one cut for UDP is none over TCP. */
    boolean suits(Waiter waiter) {
        if (stored || waiter.isFirst()) {
            return true;
        }
        return !(cut && waiter.exchange().protocol() != Protocol.UDP) && (answeredBy == null || answeredBy.cacheable());
    }

    /** Tells the exchange of a client who answered it. */
    void credit(Exchange exchange) {
        if (!stored) {
            exchange.credit(answeredBy, upstream, error);
        }
    }
}
