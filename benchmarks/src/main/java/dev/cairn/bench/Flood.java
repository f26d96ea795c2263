package dev.cairn.bench;

import dev.cairn.bench.load.Dnsperf;
import dev.cairn.bench.report.Samples;
import dev.cairn.bench.server.Processors;
import dev.cairn.bench.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * As many queries as servers answer, in turn: CPU time for each, from the kernel's own account of the process, which is steadier than the rate.
 *
 * @param suffix what tells these figures from others of the same part; empty for none
 * @param queries a file for each run, the first for warming up; after the last it begins anew
 */
record Flood(Run run, Samples samples, String suffix, List<Path> queries, List<String> options, Processors processors, ToIntFunction<ServerProcess> port) {
    static final String CPU = "CPU, µs/query";
    static final String RATE = "queries/s";
    static final String LOST = "lost";

    Flood(Run run, Samples samples, List<Path> queries) {
        this(run, samples, "", queries, Dnsperf.FLOOD, Processors.FIRST, ServerProcess::port);
    }

    static String named(String measure, String suffix) {
        return suffix.isEmpty() ? measure : measure.replaceFirst("(,|$)", " " + suffix + "$1");
    }

    /** Loads all of them to warm up, then in turn. */
    void measure(List<ServerProcess> servers) throws IOException, InterruptedException {
        Plan plan = run.plan();
        Turns.run(servers, 1, (server, _) -> {
            run.progress().step("warming up %s, %d s", server.name(), plan.warmUp());
            once(server, 0, plan.warmUp());
        });
        Turns.run(servers, plan.rounds(), (server, round) -> {
            long before = server.cpuNanos();
            Dnsperf result = once(server, round + 1, plan.seconds());
            double micros = (server.cpuNanos() - before) / 1e3 / result.completed();
            samples.add(named(CPU, suffix), server.name(), micros);
            samples.add(named(RATE, suffix), server.name(), result.rate());
            samples.add(named(LOST, suffix), server.name(), (double) result.lost());
            run.progress().step("round %d of %d%s: %s %.2f µs of CPU a query, %,.0f queries/s", round + 1, plan.rounds(),
                    suffix.isEmpty() ? "" : " " + suffix, server.name(), micros, result.rate());
        });
    }

    private Dnsperf once(ServerProcess server, int number, int seconds) throws IOException, InterruptedException {
        return Dnsperf.run(port.applyAsInt(server), queries.get(number % queries.size()), seconds, options, processors).withoutErrors(server.name());
    }
}
