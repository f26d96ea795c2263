package dev.cairn.chain;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The part of an exchange that knows who has it, once a plugin has kept it. Sees to it that the client gets one reply: from whoever resumed
 * it to its end, or at its deadline. After that, or after its answer if the server asked it itself, it may be used again.
 */
abstract sealed class Custody extends Parties permits Exchange {
    private static final VarHandle SETTLED;

    static {
        try {
            SETTLED = MethodHandles.lookup().findVarHandle(Custody.class, "settled", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile boolean settled;
    private volatile @Nullable Future<?> alarm;
    private boolean hasDeadline;
    private long deadlineNanos;

    /** What was last asked below for this exchange. */
    private @Nullable Exchange inner;

    /** Whether this was asked below for another, which may do so again. */
    private volatile boolean spare;

    /** Behind it in {@link SpareExchanges}, and how many there are up to it. */
    @Nullable Exchange nextSpare;
    short spareCount;

    /**
     * Sets when the client must have its answer, in {@link System#nanoTime}. If a plugin keeps the exchange for longer, the client gets
     * SERVFAIL, and what the plugin answers after that goes nowhere. To be set before any plugin keeps the exchange.
     */
    public final void deadline(long nanos) {
        hasDeadline = true;
        deadlineNanos = nanos;
    }

    /** Whether there is a time at which an answer comes too late. */
    public final boolean hasDeadline() {
        return hasDeadline;
    }

    /** When an answer comes too late, in {@link System#nanoTime}; of no meaning unless {@link #hasDeadline}. */
    public final long deadlineNanos() {
        return deadlineNanos;
    }

    /** Claims the right to reply, which only one caller gets. */
    final boolean claim() {
        if (!SETTLED.compareAndSet(this, false, true)) {
            return false;
        }
        silence();
        return true;
    }

    /** Whether the client has its reply already, so that there is no use in doing more; for exchanges that were kept. */
    public final boolean isSettled() {
        return settled;
    }

    /** Makes it one that nobody has replied to, without a deadline; for who alone has it. */
    final void unsettled() {
        hasDeadline = false;
        if (settled) {
            settled = false;
            alarm = null;
        }
    }

    /** Keeps what will go off at the deadline, to silence it when the reply is sent, which may already be so. */
    final void alarm(Future<?> set) {
        alarm = set;
        if (settled) {
            silence();
        }
    }

    private void silence() {
        Future<?> set = alarm;
        if (set != null) {
            set.cancel(false);
        }
    }

    /** One to ask below with: that of the last time if it was given back. */
    final Exchange inner() {
        Exchange last = inner;
        if (last == null || !last.isSpare()) {
            last = new Exchange();
            inner = last;
        }
        last.spare(false);
        return last;
    }

    /** Lets go of one that was not given back. */
    final void forgetInner() {
        if (inner != null && !inner.isSpare()) {
            inner = null;
        }
    }

    final boolean isSpare() {
        return spare;
    }

    final void spare(boolean unused) {
        spare = unused;
    }
}
