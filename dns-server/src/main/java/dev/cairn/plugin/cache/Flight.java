package dev.cairn.plugin.cache;

import java.util.ArrayList;
import java.util.List;
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
    private final List<Waiter> waiters = new ArrayList<>(1);
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
        return !over && waiters.size() < MAX_WAITERS && waiters.add(waiter);
    }

    synchronized @Nullable Outcome outcome() {
        return outcome;
    }

    /** Ends the flight; returns those who wait, to the first caller only. */
    synchronized List<Waiter> land(Outcome with) {
        outcome = with;
        return end();
    }

    /** Ends the flight without an outcome. */
    synchronized List<Waiter> end() {
        over = true;
        List<Waiter> all = List.copyOf(waiters);
        waiters.clear();
        return all;
    }
}
