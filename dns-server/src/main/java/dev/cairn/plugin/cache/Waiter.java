package dev.cairn.plugin.cache;

import dev.cairn.chain.Exchange;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A client who waits for an answer from below, in a list of such. Whoever {@link #claim}s it has its exchange and must resume it. */
final class Waiter {
    private final Exchange exchange;
    private final @Nullable CachedAnswer stale;
    private final boolean first;
    private final AtomicBoolean claimed = new AtomicBoolean();

    /** Who came after it; guarded by the flight, and left as it is when that has landed. */
    @Nullable Waiter next;

    /**
     * @param stale what it gets if the answer is no better
     * @param first whether the question was asked in its name
     */
    Waiter(Exchange exchange, @Nullable CachedAnswer stale, boolean first) {
        this.exchange = exchange;
        this.stale = stale;
        this.first = first;
    }

    Exchange exchange() {
        return exchange;
    }

    @Nullable CachedAnswer stale() {
        return stale;
    }

    boolean isFirst() {
        return first;
    }

    /** Takes it; true for one caller only. */
    boolean claim() {
        return claimed.compareAndSet(false, true);
    }
}
