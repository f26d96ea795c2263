package dev.cairn.cluster.api;

import java.time.Duration;

/**
 * How long to wait for what.
 *
 * @param firstDelay before a failed request is tried again; doubles with each failure
 * @param lastDelay what it doubles up to
 * @param answer for an answer to begin, and for a list to go on
 * @param silence for the next word in a watch. A server sends a bookmark about once a minute
 * @param watch how long a watch shall last at least; at most twice that
 */
record Timing(Duration firstDelay, Duration lastDelay, Duration answer, Duration silence, Duration watch) {
    static final Timing USUAL = new Timing(
            Duration.ofMillis(250), Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofSeconds(150), Duration.ofMinutes(5));
}
