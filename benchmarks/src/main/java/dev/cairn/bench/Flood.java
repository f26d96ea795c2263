package dev.cairn.bench;

import dev.cairn.bench.load.Dnsperf;
import dev.cairn.bench.report.Samples;
import dev.cairn.bench.server.Processors;
import dev.cairn.bench.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * As many queries as servers answer, in turn: CPU time for each, from the kernel's own account of the process, which is steadier than the rate.
 *
 * @param suffix what tells these figures from others of the same part; empty for none
 */
record Flood(Run run, Samples samples, String suffix, int warmUp, Flood.Client client) {
    static final String CPU = "CPU, µs/query";
    static final String RATE = "queries/s";
    static final String LOST = "lost";

    /** What a client got. */
    record Answers(long completed, long lost, double rate) {}

    /** Asks a server for some seconds; the first run, of number 0, is for warming up. */
    @FunctionalInterface
    interface Client {
        Answers ask(ServerProcess server, int number, int seconds) throws IOException, InterruptedException;
    }

    /** By dnsperf, on the first processor. */
    Flood(Run run, Samples samples, Path queries) {
        this(run, samples, "", run.plan().warmUp(), dnsperf(List.of(queries), Dnsperf.FLOOD, Processors.FIRST));
    }

    /** With a file for each run; after the last it begins anew. */
    static Client dnsperf(List<Path> queries, List<String> options, Processors processors) {
        return (server, number, seconds) -> {
            Dnsperf result = Dnsperf.run(server.port(), queries.get(number % queries.size()), seconds, options, processors).withoutErrors(server.name());
            return new Answers(result.completed(), result.lost(), result.rate());
        };
    }

    static String named(String measure, String suffix) {
        return suffix.isEmpty() ? measure : measure.replaceFirst("(,|$)", " " + suffix + "$1");
    }

    /** Loads all of them to warm up, then in turn. */
    void measure(List<ServerProcess> servers) throws IOException, InterruptedException {
        Plan plan = run.plan();
        String what = suffix.isEmpty() ? "" : " " + suffix;
        Turns.run(servers, 1, (server, _) -> {
            run.progress().step("warming up %s%s, %d s", server.name(), what, warmUp);
            client.ask(server, 0, warmUp);
        });
        Turns.run(servers, plan.rounds(), (server, round) -> {
            long before = server.cpuNanos();
            Answers answers = client.ask(server, round + 1, plan.seconds());
            if (answers.completed == 0) {
                throw new IOException(server.name() + " answered nothing in " + plan.seconds() + " s" + what);
            }
            double micros = (server.cpuNanos() - before) / 1e3 / answers.completed;
            samples.add(named(CPU, suffix), server.name(), micros);
            samples.add(named(RATE, suffix), server.name(), answers.rate);
            samples.add(named(LOST, suffix), server.name(), (double) answers.lost);
            run.progress().step("round %d of %d%s: %s %.2f µs of CPU a query, %,.0f queries/s", round + 1, plan.rounds(), what, server.name(), micros,
                    answers.rate);
        });
    }
}
