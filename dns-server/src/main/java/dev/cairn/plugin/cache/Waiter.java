package dev.cairn.plugin.cache;

import dev.cairn.chain.Exchange;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A client who waits for an answer from below, in a list of such. Whoever {@link #claim}s it has its exchange and must resume it. */
final class Waiter {
    private static final VarHandle CLAIMED;

    static {
        try {
            CLAIMED = MethodHandles.lookup().findVarHandle(Waiter.class, "claimed", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Exchange exchange;
    private final @Nullable CachedAnswer stale;
    private final boolean first;
    @SuppressWarnings("unused") // by CLAIMED
    private volatile boolean claimed;

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
        return CLAIMED.compareAndSet(this, false, true);
    }
}
