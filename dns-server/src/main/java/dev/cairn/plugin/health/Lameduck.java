package dev.cairn.plugin.health;

import dev.cairn.corefile.GoDuration;
import dev.cairn.log.Log;
import java.time.Duration;

/**
 * The time between the wish to stop and the stop, in which clients find other servers. One per configuration: of several blocks the longest
 * counts, so that their times don't add up to more than the orchestrator's patience.
 */
final class Lameduck {
    private static final Log LOG = Log.plugin("health");

    private Duration duration = Duration.ZERO;

    void atLeast(Duration wanted) {
        if (wanted.compareTo(duration) > 0) {
            duration = wanted;
        }
    }

    /** Lets the time pass; later calls return at once. */
    void pass() {
        Duration wait = duration;
        duration = Duration.ZERO;
        if (wait.isZero()) {
            return;
        }
        LOG.info("Going into lameduck mode for " + GoDuration.format(wait));
        try {
            Thread.sleep(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // whoever stops the server does not want to wait
        }
    }
}
