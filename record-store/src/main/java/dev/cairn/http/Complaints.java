package dev.cairn.http;

import dev.cairn.log.Log;
import dev.cairn.log.RateLimit;
import java.time.Duration;

/** Tells of what should not happen, and could happen all the time. Any thread may use it. */
final class Complaints {
    private static final Log LOG = Log.server();
    private static final RateLimit FEW = new RateLimit(10, Duration.ofSeconds(10), System::nanoTime);

    private Complaints() {}

    /** Has its classes loaded, which cannot be done any more when there are no file descriptors. */
    static void prepare() {
        // They are when this is called.
    }

    static void tell(String text) {
        String line = FEW.admit(text);
        if (line != null) {
            LOG.error(line);
        }
    }

    static void defect(String text, Throwable thrown) {
        String line = FEW.admit(text);
        if (line != null) {
            LOG.defect(line, thrown);
        }
    }
}
