package dev.cairn.bench;

import dev.cairn.bench.load.BigCluster;
import dev.cairn.bench.report.Chapter;
import dev.cairn.bench.report.Chart;
import dev.cairn.bench.report.Samples;
import dev.cairn.bench.server.Fleet;
import dev.cairn.bench.server.MemoryGroup;
import dev.cairn.bench.server.Processors;
import dev.cairn.bench.server.ServerProcess;
import dev.cairn.e2e.RealCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is resident: with a hosts file alone, with a large cluster, and while all of it is listed again; and whether kubeadm's limit holds that. */
final class MemoryPart implements Part {
    static final String NAME = "memory";
    static final String HOSTS = "hosts only, MB";
    static final String READY = "cluster, when ready, MB";
    static final String IDLE = "cluster, at rest, MB";
    static final String PEAK = "most while listed again, MB";
    static final String LIMITED_IDLE = "in 170 MiB: at rest, MB";
    static final String LIMITED_PEAK = "in 170 MiB: most while listed again, MB";
    static final String KILLED = "killed";

    private static final int LIST_SECONDS = 15;
    private static final Pattern RELISTS = Pattern.compile("cairn_kubernetes_relists(?:_total)?\\{[^}\"]*\"([^\"]*)\"[^}]*} (\\S+)");

    @Override
    public Chapter chapter() {
        return new Chapter(NAME, "Memory", """
                Resident memory (RSS) with 10,000 names of a hosts file; with the large cluster and kubeadm's Corefile; and the most while the API server is killed and
                started again, after which everything is listed anew. Then the same in a control group with the limit of kubeadm's Deployment, 170 MiB:
                *killed* means that the kernel ended the process.""", "", List.of(
                new Chart("memory", "Resident memory", "MB", Chart.Kind.BARS, List.of(HOSTS, READY, IDLE, PEAK, LIMITED_PEAK))));
    }

    @Override
    public int seconds(Plan plan) {
        return 45 + 3 * plan.idle() + 2 * LIST_SECONDS;
    }

    @Override
    public boolean isLong() {
        return false;
    }

    @Override
    public void measure(Run run, Samples samples) throws IOException, InterruptedException {
        try (Fleet fleet = run.fleet()) {
            hosts(run, fleet, samples);
        }
        try (Fleet fleet = run.fleet()) {
            List<ServerProcess> servers = start(run, fleet);
            for (ServerProcess server : servers) {
                server.awaitAnswer(BigCluster.name(run.plan().services() - 1));
                samples.add(READY, server.name(), server.residentMegabytes());
            }
            restAndList(run, samples, servers, IDLE, PEAK);
            samples.about("lists of cairn after the first", relists(fleet.metrics(servers.getFirst())));
        }
        // One after the other, since the groups of both are to be gone before the part is over, whatever happens.
        for (String name : Fleet.BOTH) {
            try (MemoryGroup group = MemoryGroup.limit(MemoryGroup.KUBEADM_BYTES); Fleet fleet = run.fleet()) {
                limited(run, samples, fleet, name, group);
            }
        }
    }

    private static void hosts(Run run, Fleet fleet, Samples samples) throws IOException, InterruptedException {
        run.progress().step("starting cairn, CoreDNS and Knot with a hosts file");
        Path hosts = Names.hosts(run.directory("hosts"));
        List<ServerProcess> servers = new ArrayList<>();
        for (String name : Fleet.BOTH) {
            servers.add(fleet.hosts(name, hosts, Processors.ANY));
        }
        servers.add(fleet.knot(Names.CACHED, Names.zone(), Processors.ANY));
        for (ServerProcess server : servers) {
            server.awaitAnswer(Names.host(0));
        }
        run.idle();
        for (ServerProcess server : servers) {
            samples.add(HOSTS, server.name(), server.residentMegabytes());
        }
    }

    private static List<ServerProcess> start(Run run, Fleet fleet) throws IOException, InterruptedException {
        run.progress().step("starting cairn and CoreDNS with %,d services", run.plan().services());
        int upstream = run.upstream(fleet).port();
        List<ServerProcess> servers = new ArrayList<>();
        for (String name : Fleet.BOTH) {
            servers.add(fleet.kubeadm(name, upstream, run.pod(run.cluster()), "", Processors.ANY));
        }
        return servers;
    }

    /** How often each kind was listed again, which tells whether the peak is what it is said to be. */
    static String relists(String metrics) {
        List<String> kinds = new ArrayList<>();
        Matcher lists = RELISTS.matcher(metrics);
        while (lists.find()) {
            kinds.add(lists.group(1) + ": " + lists.group(2));
        }
        return String.join(", ", kinds);
    }

    private static List<String> both(List<String> first, List<String> second) {
        List<String> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    private static void limited(Run run, Samples samples, Fleet fleet, String name, MemoryGroup group) throws IOException, InterruptedException {
        run.progress().step("starting %s with %,d services in 170 MiB", name, run.plan().services());
        int upstream = run.upstream(fleet).port();
        ServerProcess server = fleet.kubeadm(name, upstream, both(group.prefix(), run.pod(run.cluster())), "", Processors.ANY);
        try {
            server.awaitAnswer(BigCluster.name(run.plan().services() - 1));
        } catch (IOException e) {
            if (server.isAlive()) {
                throw e;
            }
        }
        restAndList(run, samples, List.of(server), LIMITED_IDLE, LIMITED_PEAK);
    }

    /** A new API server on the same port does not know the versions that watches would go on from, so everything is listed again. */
    private static void restAndList(Run run, Samples samples, List<ServerProcess> servers, String idle, String peak)
            throws IOException, InterruptedException {
        if (servers.stream().anyMatch(ServerProcess::isAlive)) {
            run.idle();
        }
        for (ServerProcess server : servers) {
            figure(samples, server, idle);
            if (server.isAlive()) {
                server.peakKilobytes();
            }
        }
        if (servers.stream().anyMatch(ServerProcess::isAlive)) {
            RealCluster cluster = run.cluster();
            run.progress().step("restarting the API server, and waiting for %d s", LIST_SECONDS);
            cluster.killApiServer();
            cluster.startApiServerAgain();
            java.util.concurrent.TimeUnit.SECONDS.sleep(LIST_SECONDS);
        }
        for (ServerProcess server : servers) {
            if (server.isAlive()) {
                samples.add(peak, server.name(), server.peakKilobytes() / 1024.0);
            } else {
                samples.note(peak, server.name(), KILLED);
            }
        }
    }

    private static void figure(Samples samples, ServerProcess server, String measure) throws IOException {
        if (server.isAlive()) {
            samples.add(measure, server.name(), server.residentMegabytes());
        } else {
            samples.note(measure, server.name(), KILLED);
        }
    }
}
