package dev.cairn.bench;

import dev.cairn.bench.load.BigCluster;
import dev.cairn.bench.load.ClusterStore;
import dev.cairn.bench.server.Fleet;
import dev.cairn.bench.server.Processors;
import dev.cairn.bench.server.ServerProcess;
import dev.cairn.e2e.PodView;
import dev.cairn.e2e.RealCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the parts of one run share: how much to measure, where to put files, and one large cluster, which the first that needs it has started. */
final class Run implements AutoCloseable {
    private static final int WRITE_SECONDS_PER_THOUSAND = 11;

    private static final Pattern TOKEN = Pattern.compile("token: \"([^\"]*)\"");
    private static final int SETTLE_SECONDS = 5;

    private final Plan plan;
    private final Progress progress;
    private final Path cairn;
    private final Path proxy;
    private final Path work;
    private final ClusterStore store;
    private @Nullable RealCluster cluster;
    private int made;
    /** Counts over all parts, so that no server meets an address that another has left there. */
    private int changed;

    Run(Plan plan, Progress progress, ClusterStore store, Path cairn, Path proxy) throws IOException {
        this.plan = plan;
        this.progress = progress;
        this.cairn = cairn;
        this.proxy = proxy;
        work = Files.createTempDirectory("cairn-bench");
        this.store = store;
    }

    Plan plan() {
        return plan;
    }

    Progress progress() {
        return progress;
    }

    Path proxyCommand() {
        return proxy;
    }

    Path cairnCommand() {
        return cairn;
    }

    /** A new directory. */
    Path directory(String name) throws IOException {
        return Files.createDirectories(work.resolve(made++ + "-" + name));
    }

    Fleet fleet() throws IOException {
        return new Fleet(directory("servers"), cairn);
    }

    /** The shared cluster, started when it is first asked for. */
    RealCluster cluster() throws IOException, InterruptedException {
        RealCluster there = cluster;
        if (there != null) {
            return there;
        }
        RealCluster started = open(plan.services(), 0);
        cluster = started;
        return started;
    }

    /**
     * A cluster of its own with so many services with endpoints, and so many after them without. It is written to a real API server if it is not kept
     * from another run, beginning with the largest that is.
     */
    RealCluster open(int services, int bare) throws IOException, InterruptedException {
        if (!store.has(services, bare)) {
            int from = store.largest(services);
            Path directory = directory("cluster");
            progress.step("starting etcd and kube-apiserver to write a cluster");
            try (RealCluster written = from == 0 ? RealCluster.start(directory) : store.start(directory, from, 0)) {
                write(written, from, services, true);
                write(written, services, services + bare, false);
            }
            store.keep(directory, services, bare);
        }
        progress.step("starting etcd and kube-apiserver with %,d services, which are kept from one run to the next", services + bare);
        RealCluster started = store.start(directory("cluster"), services, bare);
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        return started;
    }

    private void write(RealCluster to, int from, int services, boolean withEndpoints) throws IOException, InterruptedException {
        if (from == services) {
            return;
        }
        progress.step("writing services %,d to %,d %s endpoints to the API server, about %s", from, services, withEndpoints ? "with ten" : "without",
                Progress.duration(writeSeconds(services - from)));
        long begun = System.nanoTime();
        BigCluster.write(to.admin(), from, services, withEndpoints, count -> {
            if (count % 5000 == 0 && count < services) {
                progress.step("%,d of %,d are written", count, services);
            }
        });
        progress.step("written in %d s", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
    }

    /** About how long it takes to write so many services to the API server. */
    static int writeSeconds(int services) {
        return services * WRITE_SECONDS_PER_THOUSAND / 1000;
    }

    /** What a pod of the cluster has before its command. */
    List<String> pod(RealCluster of) throws IOException {
        return new PodView(of, directory("pod"), token(of)).prefix();
    }

    static String token(RealCluster of) throws IOException {
        Matcher token = TOKEN.matcher(Files.readString(of.adminKubeconfig()));
        if (!token.find()) {
            throw new IOException("the administrator's kubeconfig has no token");
        }
        return token.group(1);
    }

    /** What answers are forwarded to. */
    ServerProcess upstream(Fleet fleet) throws IOException {
        return fleet.knot(Names.ZONE, Names.RECORDS, Processors.FIRST).awaitAnswer("a." + Names.UNCACHED);
    }

    int changed() {
        return changed;
    }

    void changed(int next) {
        changed = next;
    }

    void idle() throws InterruptedException {
        progress.step("letting them rest for %d s", plan.idle());
        TimeUnit.SECONDS.sleep(plan.idle());
    }

    @Override
    public void close() throws IOException {
        if (cluster != null) {
            cluster.close();
        }
        ServerProcess.delete(work);
    }
}
