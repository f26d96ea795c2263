package dev.cairn.plugin.cache;

import dev.cairn.chain.Step;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The questions that are being asked below, each once. Used by all threads. */
final class Flights {
    /** More questions than this are not watched over, but each client asks by itself. */
    static final int MAX = 4096;

    /** Questions that no client waits for leave room for those that somebody does. */
    static final int MAX_REFRESHES = 1024;

    private final ConcurrentHashMap<Question, Flight> byQuestion = new ConcurrentHashMap<>();

    @Nullable Flight find(Question question, long now) {
        Flight flight = byQuestion.get(question);
        return flight == null || flight.isLost(now) ? null : flight;
    }

    /**
     * Begins a flight unless its question is on its way already, and returns the one that flies: {@code mine}, which is then the caller's to start,
     * or the other's, even if that lands this moment. Null if there are {@code max} of them.
     */
    @Nullable Flight open(Flight mine, long now, int max) {
        if (byQuestion.size() >= max) {
            return null;
        }
        Flight known = byQuestion.putIfAbsent(mine.question(), mine);
        if (known != null && known.isLost(now) && byQuestion.replace(mine.question(), known, mine)) {
            giveUp(known);
            return mine;
        }
        return known == null ? mine : known;
    }

    /** Clients of a question that got lost have long gone; their listeners must know that they need not wait either. */
    private static void giveUp(Flight lost) {
        for (Waiter waiter = lost.end(); waiter != null; waiter = waiter.next) {
            if (waiter.claim()) {
                waiter.exchange().resume(Step.DROPPED);
            }
        }
    }

    void close(Flight flight) {
        byQuestion.remove(flight.question(), flight);
    }
}
