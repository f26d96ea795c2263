package dev.cairn.plugin.cancel;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import java.time.Duration;

/** Sets the deadline of each query. */
final class CancelPlugin implements Plugin {
    private final long timeoutNanos;

    CancelPlugin(Duration timeout) {
        timeoutNanos = timeout.toNanos();
    }

    @Override
    public String name() {
        return "cancel";
    }

    @Override
    public Step query(Exchange exchange) {
        exchange.deadline(exchange.startNanos() + timeoutNanos);
        return Step.NEXT;
    }
}
