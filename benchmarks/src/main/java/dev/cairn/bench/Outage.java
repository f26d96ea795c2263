package dev.cairn.bench;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The memory of a server in kB while its upstream stands still for 20 seconds and clients go on asking for names that are not cached.
 *
 * @param before the most in the eight seconds before
 * @param during the most while nothing came from the upstream
 * @param after at the end of ten seconds with the upstream back
 */
record Outage(long before, long during, long after, SteadyLoad.Result load) {
    static final int RATE = 5000;
    static final String COLUMNS =
            "RSS before | most during | after | answered | with an error | not at all | an error took, median (99 of 100) |";

    private static final int BEFORE_SECONDS = 8;
    private static final int DURING_SECONDS = 20;
    private static final int AFTER_SECONDS = 10;

    /** More memory than this, as a part of what was there before, is not flat. */
    private static final double FLAT = 1.15;

    /** @param zone whose names are asked for */
    static Outage run(ServerProcess server, ServerProcess upstream, String zone) throws IOException, InterruptedException {
        System.out.printf("stopping the upstream of %s for %d s ...%n", server.name(), DURING_SECONDS);
        CompletableFuture<SteadyLoad.Result> load = SteadyLoad.start(
                server.port(), RATE, BEFORE_SECONDS + DURING_SECONDS + AFTER_SECONDS, i -> "o-service-" + i + "." + zone);
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
        try {
            return new Outage(before, during, after, load.get());
        } catch (ExecutionException e) {
            throw new IOException("cannot ask " + server.name() + ": " + e.getCause(), e);
        }
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

    String columns() {
        return String.format(Locale.ROOT, "%d MB | %d MB | %d MB | %d | %d | %d | %.2f s (%.2f s) |", before / 1024, during / 1024,
                after / 1024, load.succeeded(), load.failed(), load.unanswered(), load.errorSeconds(50), load.errorSeconds(99));
    }
}
