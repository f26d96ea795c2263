package dev.cairn.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The memory of a server in kB while its upstream stands still for 20 seconds and clients go on asking for names that are not cached.
 *
 * @param before the most in the eight seconds before
 * @param during the most while nothing came from the upstream
 * @param after at the end of ten seconds with the upstream back
 */
record Outage(long before, long during, long after, Dnsperf load) {
    static final int RATE = 5000;
    private static final int BEFORE_SECONDS = 8;
    private static final int DURING_SECONDS = 20;
    private static final int AFTER_SECONDS = 10;

    /** For the last answers; dnsperf has been seen not to come to an end when very many are missing. */
    private static final int END_SECONDS = 15;

    /** So many names are asked for at most. */
    static final int NAMES = RATE * (BEFORE_SECONDS + DURING_SECONDS + AFTER_SECONDS + 2);

    /** More memory than this, as a part of what was there before, is not flat. */
    private static final double FLAT = 1.10;

    /** Less of the load than this would flatter whoever had it. */
    private static final double FULL_LOAD = 0.9;

    static Outage run(ServerProcess server, ServerProcess upstream, Path queries) throws IOException, InterruptedException {
        System.out.printf("stopping the upstream of %s for %d s ...%n", server.name(), DURING_SECONDS);
        // As many outstanding as dnsperf can have, or it would ask less once answers are missing; and not a word about each of those,
        // since it stands still when nobody reads them.
        Process dnsperf = Dnsperf.start(server.port(), queries, BEFORE_SECONDS + DURING_SECONDS + AFTER_SECONDS,
                List.of("-n", "1", "-Q", Integer.toString(RATE), "-q", "60000",
                        "-O", "suppress=timeout,congestion,sendfailed,sockready,unexpected"));
        long before = most(server, BEFORE_SECONDS);
        upstream.signal("STOP");
        long during;
        try {
            during = most(server, DURING_SECONDS);
        } finally {
            upstream.signal("CONT");
        }
        most(server, AFTER_SECONDS - 1);
        long after = server.residentKilobytes();
        Dnsperf load = new Dnsperf(0, 0, 0, 0, "");
        if (dnsperf.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            load = Dnsperf.result(dnsperf);
        } else {
            dnsperf.destroyForcibly();
        }
        long asked = load.completed() + load.lost();
        if (asked < RATE * (BEFORE_SECONDS + DURING_SECONDS + AFTER_SECONDS) * FULL_LOAD) {
            System.out.printf("NOT COMPARABLE: dnsperf could only ask %s %d times%n", server.name(), asked);
        }
        return new Outage(before, during, after, load);
    }

    private static long most(ServerProcess server, int seconds) throws IOException, InterruptedException {
        long most = 0;
        for (int i = 0; i < seconds * 5; i++) {
            TimeUnit.MILLISECONDS.sleep(200);
            most = Math.max(most, server.residentKilobytes());
        }
        return most;
    }

    boolean flat() {
        return during <= before * FLAT && after <= before * FLAT;
    }
}
