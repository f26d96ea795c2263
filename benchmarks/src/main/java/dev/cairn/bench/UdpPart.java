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
import java.util.ArrayList;
import java.util.List;

/** Answers from a large cluster over UDP, on one processor and on two, beside Knot with the same names as a zone. */
final class UdpPart implements Part {
    static final String NAME = "udp";
    /** What tells figures of two processors. */
    static final String TWO = "on two";

    @Override
    public Chapter chapter() {
        String two = Processors.enoughForTwo() ? "on others than those two"
                : "on the same two processors, as there are no others, so that the rates of both together are bound by what dnsperf needs, too";
        return new Chapter(NAME, "One query of the cluster over UDP", """
                The A records of all services of a large cluster from a real API server, in mixed order; kubeadm's Corefile with all its plugins for cairn
                and CoreDNS, Knot with the same names as a static zone. First on one processor, with dnsperf on another; then on two, with dnsperf
                """ + two + ".", Fleet.KNOT, List.of(
                new Chart("udp-cpu", "CPU time of a cluster answer over UDP", "times cairn's", Chart.Kind.RATIOS, List.of(Flood.CPU, Flood.named(Flood.CPU, TWO))),
                new Chart("udp-rate", "Cluster answers a second over UDP", "queries/s", Chart.Kind.BARS, List.of(Flood.RATE, Flood.named(Flood.RATE, TWO)))));
    }

    @Override
    public int seconds(Plan plan) {
        return 30 + 2 * plan.loadSeconds(3);
    }

    @Override
    public boolean isLong() {
        return false;
    }

    @Override
    public void measure(Run run, Samples samples) throws IOException, InterruptedException {
        Path queries = Files.writeString(run.directory("queries").resolve("queries"), BigCluster.queries(run.plan().services()));
        try (Fleet fleet = run.fleet()) {
            new Flood(run, samples, queries).measure(start(run, fleet, Processors.LAST));
        }
        try (Fleet fleet = run.fleet()) {
            new Flood(run, samples, TWO, run.plan().warmUp(), Flood.dnsperf(List.of(queries), Dnsperf.FLOOD_OF_TWO, Processors.BEFORE_LAST_TWO))
                    .measure(start(run, fleet, Processors.LAST_TWO));
        }
    }

    /** cairn, CoreDNS and Knot with the names of the cluster. */
    static List<ServerProcess> start(Run run, Fleet fleet, Processors processors) throws IOException, InterruptedException {
        List<String> pod = run.pod(run.cluster());
        int services = run.plan().services();
        run.progress().step("starting cairn, CoreDNS and Knot");
        int upstream = run.upstream(fleet).port();
        List<ServerProcess> servers = new ArrayList<>();
        for (String name : Fleet.BOTH) {
            servers.add(fleet.kubeadm(name, upstream, pod, "", processors));
        }
        servers.add(fleet.knot(BigCluster.ZONE, BigCluster.zoneFile(services), processors));
        for (ServerProcess server : servers) {
            server.awaitAnswer(BigCluster.name(services - 1));
        }
        return servers;
    }
}
