package dev.cairn.bench;

import dev.cairn.bench.load.BigCluster;
import dev.cairn.bench.load.Changes;
import dev.cairn.bench.load.NoServer;
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

/** How soon a change of an endpoint is answered, and what it costs. */
final class EventPart implements Part {
    static final String NAME = "events";
    static final String P50 = "event to answer p50, ms";
    static final String P99 = "event to answer p99, ms";
    static final String CPU = "CPU, µs/event";
    static final String NO_SERVER = "no server";
    /** Until what runs once for each event has been compiled: a server in service has met some thousands within its first hour. */
    private static final int WARM_UPS = 2;

    @Override
    public Chapter chapter() {
        return new Chapter(NAME, "A change of the cluster", """
                An endpoint of one of the headless services changes: the time from the first byte of the watch's event on its way to the server (a relay without TLS
                stands between, and holds it for 5 ms, until API server and etcd are done with the change; from then on they are stopped until the answer has come, since in
                service they have other processors) to the first changed answer, asked for without a pause. Then the CPU time of the server for as many events when nobody
                asks. All processors may be used. *No server* is what the machine itself takes: two threads, of which one reads a byte that comes over TCP, and the other answers
                with it over UDP.""", Fleet.COREDNS, List.of(
                new Chart("events", "From an event to its answer", "ms", Chart.Kind.BARS, List.of(P50, P99)),
                new Chart("events-cpu", "CPU time of an event", "µs", Chart.Kind.BARS, List.of(CPU))));
    }

    @Override
    public int seconds(Plan plan) {
        return 20 + 2 * serverSeconds(plan);
    }

    /** How long {@link #measure} takes for one server: 10 ms for an event that is held back, and a third of that for one that is not. */
    static int serverSeconds(Plan plan) {
        return (WARM_UPS + 1) * plan.changes() / 100 + plan.rounds() * plan.changes() / 300;
    }

    @Override
    public boolean isLong() {
        return false;
    }

    @Override
    public void measure(Run run, Samples samples) throws IOException, InterruptedException {
        try (NoServer none = new NoServer()) {
            run.progress().step("sending %d events to no server after warming up, to know what the machine takes", run.plan().changes());
            none.measure(run.plan().changes());
            none.warmedUp();
            none.measure(run.plan().changes());
            samples.add(P50, NO_SERVER, none.millis(50));
            samples.add(P99, NO_SERVER, none.millis(99));
        }
        for (String name : Fleet.BOTH) {
            try (Fleet fleet = run.fleet();
                    Relay relay = new Relay(run.cluster().port(), run.cluster().authority(), Run.token(run.cluster()))) {
                int services = run.plan().services();
                run.progress().step("starting %s", name);
                ServerProcess server = fleet.kubeadm(name, run.upstream(fleet).port(), List.of(), relay.url(), Processors.ANY)
                        .awaitAnswer(BigCluster.name(services - 1));
                measure(run, run.cluster(), relay, server, services, samples, 0);
            }
        }
    }

    /** Changes endpoints; the size tells figures apart, if there are several, and is 0 otherwise. */
    static void measure(Run run, RealCluster cluster, Relay relay, ServerProcess server, int services, Samples samples, long at) throws IOException {
        int count = run.plan().changes();
        Changes changes = new Changes(cluster, relay, server, services, run.changed());
        run.progress().step("changing endpoints for %s, %d times after warming up", server.name(), count);
        changes.measure(WARM_UPS * count);
        changes.warmedUp();
        changes.measure(count);
        samples.add(P50, server.name(), at, changes.millis(50));
        samples.add(P99, server.name(), at, changes.millis(99));
        // Several times, since a compiler may be at work in any of them, and one method costs as much as a thousand events.
        for (int i = 0; i < run.plan().rounds(); i++) {
            samples.add(CPU, server.name(), at, changes.cpuMicros(count));
        }
        run.changed(changes.next());
    }
}
