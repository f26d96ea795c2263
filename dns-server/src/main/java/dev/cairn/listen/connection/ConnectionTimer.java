package dev.cairn.listen.connection;

import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose time is over. Owned by the connection's event loop. Moving the end later, which each query does, costs
 * nothing: the running timer finds out. Only moving it earlier needs another timer.
 */
public final class ConnectionTimer {
    /** How often a connection past its time is looked at while plugins still work on its queries. */
    private static final Duration BUSY_CHECK = Duration.ofSeconds(1);

    private final ChannelHandlerContext context;
    private final BooleanSupplier busy;
    private long endNanos;
    private long timerNanos;
    private @Nullable ScheduledFuture<?> timer;

    /** @param busy whether a query of the connection is still being answered, so that it must stay open */
    public ConnectionTimer(ChannelHandlerContext context, BooleanSupplier busy) {
        this.context = context;
        this.busy = busy;
    }

    /** Moves the end of the connection's time. */
    public void endIn(Duration fromNow) {
        endNanos = System.nanoTime() + fromNow.toNanos();
        if (timer == null || endNanos - timerNanos < 0) {
            watchUntil(endNanos);
        }
    }

    private void watchUntil(long nanos) {
        cancel();
        timerNanos = nanos;
        timer = context.executor().schedule(this::check, nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void check() {
        long now = System.nanoTime();
        if (endNanos - now > 0) {
            watchUntil(endNanos);
        } else if (busy.getAsBoolean()) {
            watchUntil(now + BUSY_CHECK.toNanos());
        } else {
            context.close();
        }
    }

    public void cancel() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
