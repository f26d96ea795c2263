package dev.cairn.chain;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that the client of an exchange that was kept gets one reply: from whoever resumed it to its end, or at its deadline. A kept
 * exchange is not used again by its listener, so this needs no resetting. Is the flag itself, to be one object less.
 * Safe for use by any thread.
 */
final class Settlement extends AtomicBoolean {
    private static final long serialVersionUID = 1;

    private transient volatile @Nullable Future<?> alarm;

    /** Claims the right to reply, which only one caller gets. */
    boolean claim() {
        if (!compareAndSet(false, true)) {
            return false;
        }
        silence();
        return true;
    }

    boolean isClaimed() {
        return get();
    }

    /** Keeps what will go off at the deadline, to silence it when the reply is sent, which may already be so. */
    void alarm(Future<?> set) {
        alarm = set;
        if (isClaimed()) {
            silence();
        }
    }

    private void silence() {
        Future<?> set = alarm;
        if (set != null) {
            set.cancel(false);
        }
    }
}
