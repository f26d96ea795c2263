package dev.cairn.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The latency in ms that 99 of 100 answers of a server do not exceed, in several short rounds under the same load. Short ones in turn,
 * since neighbours on the machine make single rounds worse by a factor of ten, whichever server they meet.
 */
record Latency(List<Double> sorted) {
    static final int SECONDS = 2;

    /** Measures all servers in each round, which has a file of queries of its own. */
    static List<Latency> run(List<ServerProcess> servers, List<Path> rounds, int rate) throws IOException, InterruptedException {
        List<String> options = List.of("-v", "-Q", Integer.toString(rate));
        List<List<Double>> millis = servers.stream().<List<Double>>map(_ -> new ArrayList<>()).toList();
        for (Path queries : rounds) {
            for (int i = 0; i < servers.size(); i++) {
                ServerProcess server = servers.get(i);
                Dnsperf result = Dnsperf.run(server.port(), queries, SECONDS, options).withoutErrors(server.name());
                millis.get(i).add(result.latencyMillis(99));
            }
        }
        return millis.stream().map(list -> new Latency(list.stream().sorted().toList())).toList();
    }

    double median() {
        return sorted.get(sorted.size() / 2);
    }

    String column() {
        return String.format(Locale.ROOT, "%.2f (%.2f-%.2f)", median(), sorted.getFirst(), sorted.getLast());
    }
}
