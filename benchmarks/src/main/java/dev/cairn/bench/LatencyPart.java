package dev.cairn.bench;

import dev.cairn.bench.load.BigCluster;
import dev.cairn.bench.load.Dnsperf;
import dev.cairn.bench.report.Chapter;
import dev.cairn.bench.report.Chart;
import dev.cairn.bench.report.Samples;
import dev.cairn.bench.server.Fleet;
import dev.cairn.bench.server.Processors;
import dev.cairn.bench.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How long answers of a large cluster take at half the load that CoreDNS can bear. */
final class LatencyPart implements Part {
    static final String NAME = "latency";

    @Override
    public Chapter chapter() {
        return new Chapter(NAME, "Latency at half of CoreDNS's peak", """
                The same servers and names as for one query over UDP, each on one processor. First CoreDNS is asked for as much as it can answer; then
                each is asked at half of that rate, in short rounds, in turn.""", "", List.of(
                new Chart("latency", "Latency at half of CoreDNS's peak load", "ms", Chart.Kind.BARS, List.of(Latency.P50, Latency.P99, Latency.P999))));
    }

    @Override
    public int seconds(Plan plan) {
        return 20 + 4 * plan.warmUp() + plan.latencySeconds(3);
    }

    @Override
    public boolean isLong() {
        return false;
    }

    @Override
    public void measure(Run run, Samples samples) throws IOException, InterruptedException {
        Path queries = Files.writeString(run.directory("queries").resolve("queries"), BigCluster.queries(run.plan().services()));
        try (Fleet fleet = run.fleet()) {
            List<ServerProcess> servers = UdpPart.start(run, fleet, Processors.LAST);
            Turns.run(servers, 1, (server, _) -> {
                run.progress().step("warming up %s, %d s", server.name(), run.plan().warmUp());
                Dnsperf.run(server.port(), queries, run.plan().warmUp(), Dnsperf.FLOOD).withoutErrors(server.name());
            });
            double peak = Dnsperf.run(servers.get(1).port(), queries, run.plan().warmUp(), Dnsperf.FLOOD).withoutErrors(Fleet.COREDNS).rate();
            int rate = (int) (peak / 2);
            samples.about("rate", String.format(java.util.Locale.ROOT, "%,d queries/s, half of CoreDNS's peak of %,.0f", rate, peak));
            Latency.measure(run, samples, servers, List.of(queries), rate);
        }
    }
}
