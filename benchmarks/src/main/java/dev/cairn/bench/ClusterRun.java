package dev.cairn.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.e2e.Peers;
import dev.cairn.e2e.PodView;
import dev.cairn.e2e.RealCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A large cluster from a real API server: how soon cairn and CoreDNS are ready, how much memory they need, how soon a change of an endpoint is
 * answered, what an answer costs beside Knot, and how much more memory a new list of everything needs.
 *
 * <p>Usage: {@code ClusterRun CAIRN [--services N] [--rounds N] [--seconds N] [--changes N] [--starts N] [--only NAME]}. The programs are
 * those of {@code tools/peers}; {@code CAIRN_PEERS} says where.
 */
public final class ClusterRun {
    private static final Pattern TOKEN = Pattern.compile("token: \"([^\"]*)\"");
    private static final Pattern RELISTS = Pattern.compile("cairn_kubernetes_relists(?:_total)?\\{([^}]*)} (\\S+)");
    private static final int IDLE_SECONDS = 15;
    private static final int SETTLE_SECONDS = 5;

    private final Path cairn;
    private final int services;
    private final int rounds;
    private final int seconds;
    private final int changes;
    /** Before the one that everything else is measured of. */
    private final int starts;
    private final String only;
    private final Path work;
    /** Counts over all servers, so that none meets an address that another has left there. */
    private int changed;
    private int metricsPort;

    /** What was measured of a server; times in milliseconds, memory in kB. */
    private static final class Figures {
        private final String name;
        private final List<Double> readySeconds = new ArrayList<>();
        private final List<Double> readyCpuSeconds = new ArrayList<>();
        private long readyKilobytes;
        private long idleKilobytes;
        private long loadedKilobytes;
        private long relistKilobytes;
        private double changeMedian;
        private double changeWorst;
        private @Nullable String load;

        Figures(String name) {
            this.name = name;
        }
    }

    private ClusterRun(List<String> args) throws IOException {
        cairn = Path.of(args.getFirst());
        services = Integer.parseInt(LoadRun.option(args, "--services", "10000"));
        rounds = Integer.parseInt(LoadRun.option(args, "--rounds", "3"));
        seconds = Integer.parseInt(LoadRun.option(args, "--seconds", "5"));
        changes = Integer.parseInt(LoadRun.option(args, "--changes", "300"));
        starts = Integer.parseInt(LoadRun.option(args, "--starts", "4"));
        only = LoadRun.option(args, "--only", "");
        work = Files.createTempDirectory("cairn-cluster");
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 0) {
            System.err.println("usage: ClusterRun CAIRN [--services N] [--rounds N] [--seconds N] [--changes N] [--starts N]"
                    + " [--only cairn|CoreDNS]");
            System.exit(2);
        }
        new ClusterRun(List.of(args)).run();
    }

    private void run() throws IOException, InterruptedException {
        System.out.println("starting etcd and kube-apiserver ...");
        try (RealCluster cluster = RealCluster.start(work.resolve("cluster"))) {
            BigCluster.write(cluster.admin(), services);
            StringBuilder queries = new StringBuilder();
            for (int i = 0; i < services; i++) {
                queries.append(BigCluster.name((int) (i * 2654435761L % services))).append(" A\n");
            }
            Files.writeString(work.resolve("queries"), queries);
            System.out.println("letting the API server settle ...");
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
            List<Figures> all = Stream.of("cairn", "CoreDNS")
                    .filter(name -> only.isEmpty() || only.equals(name)).map(Figures::new).toList();
            // In turn, since a neighbour on the machine makes single starts twice as long, whichever server it meets.
            for (int i = 0; i < starts; i++) {
                for (Figures figures : all) {
                    serve(cluster, figures).close();
                }
            }
            for (int i = 0; i < all.size(); i++) {
                measure(cluster, all.get(i));
                change(cluster, all.get(i));
                report(all.subList(0, i + 1));
            }
        } finally {
            ServerProcess.delete(work);
        }
    }

    /** Starts a server and waits until it answers. */
    private ServerProcess serve(RealCluster cluster, Figures figures) throws IOException {
        System.out.println("starting " + figures.name + " ...");
        long begun = System.nanoTime();
        ServerProcess server = start(figures.name, new PodView(cluster, work, token(cluster)).prefix(), "");
        server.awaitAnswer(BigCluster.name(services - 1));
        figures.readySeconds.add((System.nanoTime() - begun) / 1e9);
        figures.readyCpuSeconds.add(server.cpuNanos() / 1e9);
        figures.readyKilobytes = server.residentKilobytes();
        System.out.printf(Locale.ROOT, "ready after %.2f s (%.2f s of processor time) with %d MB%n", figures.readySeconds.getLast(),
                figures.readyCpuSeconds.getLast(), figures.readyKilobytes / 1024);
        return server;
    }

    /** Start, idle, load beside Knot, and a new list after the API server was away for too long. */
    private void measure(RealCluster cluster, Figures figures) throws IOException, InterruptedException {
        try (ServerProcess server = serve(cluster, figures)) {
            TimeUnit.SECONDS.sleep(IDLE_SECONDS);
            figures.idleKilobytes = server.residentKilobytes();
            try (ServerProcess knot = Knot.start(work, BigCluster.ZONE, BigCluster.zoneFile(services)).awaitAnswer(BigCluster.name(0))) {
                List<Load> loads = List.of(new Load(server, work.resolve("queries")), new Load(knot, work.resolve("queries")));
                Load.run(loads, rounds, seconds);
                figures.load = loads.getFirst().columns(loads.getLast());
            }
            figures.loadedKilobytes = server.residentKilobytes();
            System.out.printf(Locale.ROOT, "%d MB when idle, %d MB after load%n", figures.idleKilobytes / 1024, figures.loadedKilobytes / 1024);
            relist(cluster, server, figures);
        }
    }

    /** A new API server on the same port does not know the versions that watches would go on from, so everything is listed again. */
    private void relist(RealCluster cluster, ServerProcess server, Figures figures) throws IOException, InterruptedException {
        System.out.println("restarting the API server ...");
        cluster.killApiServer();
        server.peakKilobytes();
        cluster.startApiServerAgain();
        TimeUnit.SECONDS.sleep(IDLE_SECONDS);
        figures.relistKilobytes = server.peakKilobytes();
        if (figures.name.equals("cairn")) {
            Matcher lists = RELISTS.matcher(new String(URI.create("http://127.0.0.1:" + metricsPort + "/metrics").toURL().openStream().readAllBytes(), UTF_8));
            while (lists.find()) {
                System.out.println("lists after the first, " + lists.group(1) + ": " + lists.group(2));
            }
        }
    }

    private static String token(RealCluster cluster) throws IOException {
        Matcher token = TOKEN.matcher(Files.readString(cluster.adminKubeconfig()));
        if (!token.find()) {
            throw new IOException("the administrator's kubeconfig has no token");
        }
        return token.group(1);
    }

    private void change(RealCluster cluster, Figures figures) throws IOException {
        try (Relay relay = new Relay(cluster.port(), cluster.authority(), token(cluster))) {
            try (ServerProcess server = start(figures.name, List.of(), "endpoint " + relay.url())) {
                server.awaitAnswer(BigCluster.name(services - 1));
                System.out.println("changing endpoints ...");
                Changes measured = new Changes(cluster.admin(), relay, server.port());
                int warmUp = changes / 3;
                for (int i = 0; i < warmUp + changes; i++) {
                    if (i == warmUp) {
                        measured.warmedUp();
                    }
                    measured.change(9 + 10 * (i * 7 % (services / 10)), changed++);
                }
                figures.changeMedian = measured.millis(50);
                figures.changeWorst = measured.millis(99);
            }
        }
    }

    /** @param source where the API server is, in the block of the plugin; nothing for that of a pod */
    private ServerProcess start(String name, List<String> prefix, String source) throws IOException {
        boolean own = name.equals("cairn");
        int port = ServerProcess.freePort();
        metricsPort = ServerProcess.freePort();
        Path corefile = Files.writeString(work.resolve("Corefile"), """
                .:%1$d {
                    bind 127.0.0.1
                    %2$s
                    errors
                    health 127.0.0.1:%3$d
                    ready 127.0.0.1:%4$d
                    kubernetes cluster.local in-addr.arpa ip6.arpa {
                        %6$s
                        pods insecure
                        fallthrough in-addr.arpa ip6.arpa
                        ttl 30
                    }
                    prometheus 127.0.0.1:%5$d
                    loadbalance
                    reload
                }
                """.formatted(port, own ? "multisocket 1" : "", ServerProcess.freePort(), ServerProcess.freePort(), metricsPort, source));
        String program = own ? cairn.toString() : Peers.find("coredns").toString();
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(program, "-conf", corefile.toString()));
        return ServerProcess.start(name, port, work.resolve(name + ".log"), command, ServerProcess.Processor.ANY);
    }

    private static void report(List<Figures> all) {
        System.out.printf(Locale.ROOT, "%n| server | ready, median (min-max) | CPU until then | RSS ready | RSS idle | RSS loaded "
                + "| peak of a new list | event to answer, p50 / p99 "
                + "| CPU us/query, median (min-max) | ratio to Knot | queries/s | lost |%n");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
        for (Figures one : all) {
            System.out.printf(Locale.ROOT, "| %s | %.2f s (%.2f-%.2f) | %.2f s | %d MB | %d MB | %d MB | %d MB | %.2f / %.2f ms | %s |%n",
                    one.name,
                    ProxyRun.percentile(one.readySeconds, 50), Collections.min(one.readySeconds), Collections.max(one.readySeconds),
                    ProxyRun.percentile(one.readyCpuSeconds, 50),
                    one.readyKilobytes / 1024, one.idleKilobytes / 1024, one.loadedKilobytes / 1024,
                    one.relistKilobytes / 1024, one.changeMedian, one.changeWorst, one.load);
        }
    }
}
