package dev.cairn.plugin.trace;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.FinishHook;
import dev.cairn.plugin.Outbox;
import dev.cairn.plugin.WallClock;
import java.util.concurrent.ThreadLocalRandom;

/** Makes spans of finished queries. */
final class TracePlugin implements FinishHook {
    private final long every;
    private final Outbox<Span> outbox;
    private final WallClock clock = new WallClock();

    /** @param every of how many queries one is traced, chosen at random so that threads need not count together; 0 for none at all */
    TracePlugin(long every, Outbox<Span> outbox) {
        this.every = every;
        this.outbox = outbox;
    }

    @Override
    public String name() {
        return "trace";
    }

    @Override
    public void finished(Exchange exchange) {
        if (every == 1 || (every > 1 && ThreadLocalRandom.current().nextLong(every) == 0)) {
            outbox.offer(Span.of(exchange, clock.at(exchange.startNanos())));
        }
    }
}
