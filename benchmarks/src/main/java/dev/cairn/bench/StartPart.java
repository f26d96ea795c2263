package dev.cairn.bench;

import dev.cairn.bench.load.BigCluster;
import dev.cairn.bench.report.Chapter;
import dev.cairn.bench.report.Chart;
import dev.cairn.bench.report.Samples;
import dev.cairn.bench.server.Fleet;
import dev.cairn.bench.server.Processors;
import dev.cairn.bench.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** How long it takes from the start of a command to its first answer. */
final class StartPart implements Part {
    static final String NAME = "start";
    /** While a cluster is read a server may answer that it has not read it, which is not what is to be measured. */
    private static final int SELDOM_MILLIS = 10;
    static final String HOSTS = "hosts only, s";
    static final String CLUSTER = "with the cluster, s";
    static final String CPU = "CPU with the cluster, s";

    @Override
    public Chapter chapter() {
        return new Chapter(NAME, "Start", """
                From the start of the command to the first answer: with 10,000 names of a hosts file, and with the large cluster, where it is asked for the service that was
                written last. All processors may be used. Started in turn.""", Fleet.COREDNS, List.of(
                new Chart("start", "From start to first answer", "s", Chart.Kind.BARS, List.of(HOSTS, CLUSTER))));
    }

    @Override
    public int seconds(Plan plan) {
        return 5 + plan.starts() * 6;
    }

    @Override
    public boolean isLong() {
        return false;
    }

    @Override
    public void measure(Run run, Samples samples) throws IOException, InterruptedException {
        Path hosts = Names.hosts(run.directory("hosts"));
        List<String> pod = run.pod(run.cluster());
        String last = BigCluster.name(run.plan().services() - 1);
        try (Fleet fleet = run.fleet()) {
            int upstream = run.upstream(fleet).port();
            for (int i = 0; i < run.plan().starts(); i++) {
                for (String name : Fleet.BOTH) {
                    run.progress().step("start %d of %d of %s, with a hosts file and with the cluster", i + 1, run.plan().starts(), name);
                    long begun = System.nanoTime();
                    ServerProcess server = fleet.hosts(name, hosts, Processors.ANY).awaitAnswer(Names.host(0));
                    samples.add(HOSTS, name, (System.nanoTime() - begun) / 1e9);
                    fleet.end(server);
                    begun = System.nanoTime();
                    server = fleet.kubeadm(name, upstream, pod, "", Processors.ANY).awaitAnswer(last, SELDOM_MILLIS);
                    samples.add(CLUSTER, name, (System.nanoTime() - begun) / 1e9);
                    samples.add(CPU, name, server.cpuNanos() / 1e9);
                    fleet.end(server);
                }
            }
        }
    }
}
