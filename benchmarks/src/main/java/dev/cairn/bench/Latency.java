package dev.cairn.bench;

import dev.cairn.bench.load.Dnsperf;
import dev.cairn.bench.report.Samples;
import dev.cairn.bench.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The latency of answers in several short rounds under the same steady load, in turn. A lost query counts as never answered. */
final class Latency {
    static final int SECONDS = 2;
    static final String P50 = "p50, ms";
    static final String P99 = "p99, ms";
    static final String P999 = "p99.9, ms";

    private Latency() {}

    /** @param rounds a file of queries for each; after the last it begins anew */
    static void measure(Run run, Samples samples, List<ServerProcess> servers, List<Path> rounds, int rate) throws IOException, InterruptedException {
        List<String> options = List.of("-c", "4", "-v", "-Q", Integer.toString(rate));
        run.progress().step("latency at %,d queries/s: %d rounds of %d s for each server", rate, run.plan().latencyRounds(), SECONDS);
        Turns.run(servers, run.plan().latencyRounds(), (server, round) -> {
            Dnsperf result = Dnsperf.run(server.port(), rounds.get(round % rounds.size()), SECONDS, options).withoutErrors(server.name());
            samples.add(P50, server.name(), result.latencyMillis(50));
            samples.add(P99, server.name(), result.latencyMillis(99));
            samples.add(P999, server.name(), result.latencyMillis(99.9));
        });
    }
}
