package dev.cairn.plugin.dnstap;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Pauses between attempts, longer and longer. Used by one thread, but for {@link #end}. */
final class Patience {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final CountDownLatch ended = new CountDownLatch(1);
    private Duration next = FIRST;

    /**
     * Waits until the next attempt is due.
     *
     * @throws InterruptedException if there is to be none
     */
    void pause() throws InterruptedException {
        if (ended.await(next.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new InterruptedException("stopping");
        }
        next = next.multipliedBy(2).compareTo(LONGEST) < 0 ? next.multipliedBy(2) : LONGEST;
    }

    /** Begins with short pauses again. */
    void restore() {
        next = FIRST;
    }

    /** Nothing is waited for any longer. */
    void end() {
        ended.countDown();
    }
}
