package dev.cairn.upstream;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Timers of one event loop, whose thread owns it: to set and to cancel one costs a few writes. Due times are rounded up to a tick. The loop
 * is woken only for ticks that have something.
 */
final class Wheel {
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int SLOTS = 1024;

    private final EventLoop loop;
    private final long start = System.nanoTime();
    private final @Nullable Timed[] slots = new Timed[SLOTS];
    private final Runnable turn = this::turn;
    private long turned;
    private long wakeTick = Long.MAX_VALUE;
    private @Nullable ScheduledFuture<?> wake;
    private int size;

    Wheel(EventLoop loop) {
        this.loop = loop;
    }

    /** Sets, or moves, when {@code timed} is due. */
    void set(Timed timed, long nanos) {
        cancel(timed);
        timed.dueNanos = nanos;
        if (size == 0) {
            turned = Math.max(turned, tick(System.nanoTime()) - 1); // nothing was to be done since
        }
        long tick = Math.clamp(tick(nanos) + 1, turned + 1, turned + SLOTS - 1);
        int slot = (int) (tick % SLOTS);
        timed.slot = slot;
        timed.after = slots[slot];
        if (timed.after != null) {
            timed.after.before = timed;
        }
        slots[slot] = timed;
        size++;
        if (tick < wakeTick) {
            wakeAt(tick);
        }
    }

    void cancel(Timed timed) {
        if (timed.slot < 0) {
            return;
        }
        if (timed.before == null) {
            slots[timed.slot] = timed.after;
        } else {
            timed.before.after = timed.after;
        }
        if (timed.after != null) {
            timed.after.before = timed.before;
        }
        timed.before = null;
        timed.after = null;
        timed.slot = -1;
        size--;
    }

    private long tick(long nanos) {
        return (nanos - start) / TICK;
    }

    private void wakeAt(long tick) {
        if (wake != null) {
            wake.cancel(false);
        }
        wakeTick = tick;
        wake = loop.schedule(turn, start + tick * TICK - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void turn() {
        wake = null;
        wakeTick = Long.MAX_VALUE;
        long now = System.nanoTime();
        long until = tick(now);
        long last = Math.min(until, turned + SLOTS);
        for (long tick = turned + 1; tick <= last && size > 0; tick++) {
            turned = tick; // so that what is set meanwhile lands in a later slot
            emptySlot((int) (tick % SLOTS), now);
        }
        turned = Math.max(turned, until);
        for (long tick = turned + 1; tick < turned + SLOTS && size > 0; tick++) {
            if (slots[(int) (tick % SLOTS)] != null) {
                if (tick < wakeTick) {
                    wakeAt(tick);
                }
                return;
            }
        }
    }

    private void emptySlot(int slot, long now) {
        Timed timed;
        while ((timed = slots[slot]) != null) {
            cancel(timed);
            if (timed.dueNanos - now > 0) {
                set(timed, timed.dueNanos); // beyond the wheel's horizon when it was set
            } else {
                timed.due(now);
            }
        }
    }
}
