package dev.cairn.bench;

import dev.cairn.bench.load.BigCluster;
import dev.cairn.bench.load.Relay;
import dev.cairn.bench.report.Chapter;
import dev.cairn.bench.report.Chart;
import dev.cairn.bench.report.Samples;
import dev.cairn.bench.server.Fleet;
import dev.cairn.bench.server.Processors;
import dev.cairn.bench.server.ServerProcess;
import dev.cairn.e2e.RealCluster;
import java.io.IOException;
import java.util.List;
import java.util.function.DoubleConsumer;

/** How memory, start and the cost of an event grow with the cluster. */
final class GrowthPart implements Part {
    static final String NAME = "growth";
    static final String READY = "ready, s";
    static final String MEMORY = "at rest, MB";
    /** At rest, once there are more services without endpoints. */
    static final String BARE = "with more services without endpoints, MB";

    @Override
    public Chapter chapter() {
        return new Chapter(NAME, "Growth", """
                Clusters of several sizes with ten endpoints for each service, kubeadm's Corefile; each server is started several times at each size. In the end, services without
                endpoints are added, so that the memory of a service and that of an endpoint can be told apart.""", Fleet.COREDNS, List.of(
                new Chart("growth-memory", "Resident memory by the size of the cluster", "MB", Chart.Kind.LINES, List.of(MEMORY)),
                new Chart("growth-cpu", "CPU time of an event by the size of the cluster", "µs", Chart.Kind.LINES, List.of(EventPart.CPU)),
                new Chart("growth-event", "From an event to its answer by the size of the cluster", "ms", Chart.Kind.LINES, List.of(EventPart.P50))),
                Outlook::text);
    }

    @Override
    public int seconds(Plan plan) {
        return (plan.sizes().size() + 1) * (25 + 2 * (plan.idle() + 5 * plan.rounds() + EventPart.serverSeconds(plan)));
    }

    @Override
    public int services(Plan plan) {
        return plan.sizes().getLast() + plan.bare() / 2;
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public void measure(Run run, Samples samples) throws IOException, InterruptedException {
        for (int size : run.plan().sizes()) {
            try (RealCluster cluster = run.open(size, 0)) {
                for (String name : Fleet.BOTH) {
                    measure(run, cluster, samples, name, size);
                }
            }
        }
        int last = run.plan().sizes().getLast();
        samples.about(Outlook.BARE_SERVICES, Integer.toString(run.plan().bare()));
        try (RealCluster cluster = run.open(last, run.plan().bare())) {
            for (String name : Fleet.BOTH) {
                try (Fleet fleet = run.fleet()) {
                    ServerProcess server = start(run, cluster, fleet, run.upstream(fleet), name, last + run.plan().bare(), _ -> {});
                    run.idle();
                    samples.add(BARE, name, last, server.residentMegabytes());
                }
            }
        }
    }

    /** Asked for the last of the services that are not headless, since the bare ones of those have no answer. */
    private static ServerProcess start(Run run, RealCluster cluster, Fleet fleet, ServerProcess upstream, String name, int services, DoubleConsumer seconds)
            throws IOException {
        run.progress().step("starting %s with %,d services", name, services);
        List<String> pod = run.pod(cluster);
        long begun = System.nanoTime();
        ServerProcess server = fleet.kubeadm(name, upstream.port(), pod, "", Processors.ANY).awaitAnswer(BigCluster.name(services - 2));
        seconds.accept((System.nanoTime() - begun) / 1e9);
        return server;
    }

    private static void measure(Run run, RealCluster cluster, Samples samples, String name, int size) throws IOException, InterruptedException {
        try (Fleet fleet = run.fleet()) {
            ServerProcess upstream = run.upstream(fleet);
            DoubleConsumer ready = seconds -> samples.add(READY, name, size, seconds);
            for (int i = 1; i < run.plan().rounds(); i++) {
                fleet.end(start(run, cluster, fleet, upstream, name, size, ready));
            }
            ServerProcess server = start(run, cluster, fleet, upstream, name, size, ready);
            run.idle();
            samples.add(MEMORY, name, size, server.residentMegabytes());
        }
        try (Fleet fleet = run.fleet(); Relay relay = new Relay(cluster.port(), cluster.authority(), Run.token(cluster))) {
            ServerProcess server = fleet.kubeadm(name, run.upstream(fleet).port(), List.of(), relay.url(), Processors.ANY)
                    .awaitAnswer(BigCluster.name(size - 2));
            EventPart.measure(run, cluster, relay, server, size, samples, size);
        }
    }
}
