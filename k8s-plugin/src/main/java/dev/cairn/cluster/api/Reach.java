package dev.cairn.cluster.api;

import dev.cairn.facts.Resource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/** Whether the API server is in reach, told in the log when that changes: once for all kinds of objects. Used by all reflector threads. */
final class Reach {
    private final Logger log;
    private final LongSupplier nanoClock;
    private final Set<Resource> failing = EnumSet.noneOf(Resource.class);
    private final Set<String> told = new HashSet<>();
    private long since;

    Reach(Logger log, LongSupplier nanoClock) {
        this.log = log;
        this.nanoClock = nanoClock;
    }

    /** A request failed. Within one outage, each sentence is logged once. */
    synchronized void failed(Resource resource, String sentence) {
        if (failing.isEmpty()) {
            since = nanoClock.getAsLong();
        }
        failing.add(resource);
        if (told.add(sentence)) {
            log.log(Level.WARNING, sentence);
        }
    }

    /** A request was answered as it should. */
    synchronized void fine(Resource resource, String server) {
        if (failing.remove(resource) && failing.isEmpty()) {
            told.clear();
            long seconds = Math.round((nanoClock.getAsLong() - since) / 1e9);
            log.log(Level.INFO, "API server " + server + " back after " + seconds + " s");
        }
    }
}
