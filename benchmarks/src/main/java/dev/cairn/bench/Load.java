package dev.cairn.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What dnsperf and the kernel tell of one server under load, round by round. */
final class Load {
    private static final int WARM_UP_SECONDS = 6;

    private final ServerProcess server;
    private final List<Path> queries;
    private final List<String> options;
    private final List<Double> microsPerQuery = new ArrayList<>();
    private final List<Double> rates = new ArrayList<>();
    private int runs;
    private long lost;

    /** @param queries a file with a name and a type on each line */
    Load(ServerProcess server, Path queries) {
        this(server, List.of(queries), Dnsperf.FLOOD);
    }

    /** @param queries a file for each run, the first for warming up; after the last it begins anew */
    Load(ServerProcess server, List<Path> queries, List<String> options) {
        this.server = server;
        this.queries = queries;
        this.options = options;
    }

    /** Loads all of them once to warm up, then in turn. */
    static void run(List<Load> loads, int rounds, int seconds) throws IOException, InterruptedException {
        for (Load load : loads) {
            System.out.printf(Locale.ROOT, "warming up %s ...%n", load.server.name());
            load.measure(WARM_UP_SECONDS);
            load.microsPerQuery.clear();
            load.rates.clear();
            load.lost = 0;
        }
        for (int round = 1; round <= rounds; round++) {
            for (Load load : loads) {
                load.measure(seconds);
                System.out.printf(Locale.ROOT, "round %d of %d: %-8s %6.2f us CPU a query, %7.0f queries/s%n", round, rounds, load.server.name(),
                        load.microsPerQuery.getLast(), load.rates.getLast());
            }
        }
    }

    private void measure(int seconds) throws IOException, InterruptedException {
        long before = server.cpuNanos();
        Dnsperf result = Dnsperf.run(server.port(), queries.get(runs++ % queries.size()), seconds, options).withoutErrors(server.name());
        long used = server.cpuNanos() - before;
        microsPerQuery.add(used / 1000.0 / result.completed());
        rates.add(result.rate());
        lost += result.lost();
    }

    double median() {
        return microsPerQuery.stream().sorted().skip(microsPerQuery.size() / 2).findFirst().orElse(Double.NaN);
    }

    /** Median, least and most CPU time, ratio to another's, rate and losses, as columns of a table. */
    String columns(Load other) {
        return String.format(Locale.ROOT, "%.2f (%.2f-%.2f) | %.2f | %.0f | %d", median(),
                microsPerQuery.stream().mapToDouble(d -> d).min().orElse(0), microsPerQuery.stream().mapToDouble(d -> d).max().orElse(0),
                median() / other.median(), rates.stream().mapToDouble(d -> d).average().orElse(0), lost);
    }
}
