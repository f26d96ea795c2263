package dev.cairn.chain;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Watches exchanges that plugins keep, on one thread that starts with the first of them. Safe for use by any thread. */
final class Deadlines implements AutoCloseable {
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
            1, task -> Thread.ofPlatform().daemon().name("cairn-deadlines").unstarted(task), new ThreadPoolExecutor.DiscardPolicy());
    private final Consumer<Exchange> expired;

    Deadlines(Consumer<Exchange> expired) {
        this.expired = expired;
        // Nearly all exchanges are answered long before; they must not be held on to until then.
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Hands the exchange to {@code expired} at its deadline unless it has silenced its alarm before. */
    void watch(Exchange exchange) {
        long left = exchange.deadlineNanos() - System.nanoTime();
        exchange.alarm(timer.schedule(() -> expired.accept(exchange), left, TimeUnit.NANOSECONDS));
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
