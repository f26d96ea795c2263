package dev.cairn.chain;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges that plugins had kept and whose clients have their replies, for the listener to use again. Any thread gives back; only the
 * listener's takes, and all at once, so that none can come back while it is looked at.
 */
public final class SpareExchanges {
    /** Enough for what comes at a time; what an outage needs beyond that is not held on to. */
    private static final int MAX = 512;

    private final AtomicReference<@Nullable Exchange> returned = new AtomicReference<>();
    private @Nullable Exchange taken;

    /** An exchange that nobody else has. */
    public Exchange take() {
        Exchange first = taken == null ? returned.getAndSet(null) : taken;
        if (first == null) {
            return new Exchange();
        }
        taken = first.nextSpare;
        first.nextSpare = null;
        return first;
    }

    /** Gives back one that {@link ReplySink#reuse} was called with. */
    public void giveBack(Exchange exchange) {
        exchange.forget();
        Exchange top;
        do {
            top = returned.get();
            int count = top == null ? 1 : top.spareCount + 1;
            if (count > MAX) {
                return;
            }
            exchange.nextSpare = top;
            exchange.spareCount = (short) count;
        } while (!returned.compareAndSet(top, exchange));
    }
}
