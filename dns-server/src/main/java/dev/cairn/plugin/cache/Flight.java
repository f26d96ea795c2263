package dev.cairn.plugin.cache;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A question on its way below, and the clients who wait for it. Guarded by itself; nothing is called while it is locked. */
final class Flight {
    /** More than this many ask by themselves. */
    static final int MAX_WAITERS = 1000;

    /** No plugin below takes so long; one that lost the question must not keep it from being asked for ever. */
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Question question;
    private final long startedNanos;
    private @Nullable Waiter first;
    private @Nullable Waiter last;
    private int waiters;
    private @Nullable Outcome outcome;
    private boolean over;

    Flight(Question question, long startedNanos) {
        this.question = question;
        this.startedNanos = startedNanos;
    }

    Question question() {
        return question;
    }

    boolean isLost(long now) {
        return now - startedNanos >= LOST_NANOS;
    }

    /** Has the waiter wait; false if there are too many, or none may wait any more since there is an {@link #outcome}. */
    synchronized boolean join(Waiter waiter) {
        if (over || waiters == MAX_WAITERS) {
            return false;
        }
        if (last == null) {
            first = waiter;
        } else {
            last.next = waiter;
        }
        last = waiter;
        waiters++;
        return true;
    }

    synchronized @Nullable Outcome outcome() {
        return outcome;
    }

    /** Ends the flight; returns the first of those who wait, to the first caller only. */
    synchronized @Nullable Waiter land(Outcome with) {
        outcome = with;
        return end();
    }

    /** Ends the flight without an outcome. */
    synchronized @Nullable Waiter end() {
        over = true;
        Waiter all = first;
        first = null;
        last = null;
        return all;
    }
}
