package dev.cairn.command;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.LabelSelector;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.api.ApiObserver;
import dev.cairn.cluster.api.ApiOptions;
import dev.cairn.cluster.api.ApiSource;
import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.ControlOptions;
import dev.cairn.cluster.env.ServiceEnvironment;
import dev.cairn.cluster.manifest.ManifestOptions;
import dev.cairn.cluster.manifest.ManifestSource;
import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.log.Log;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn env}: the environment variables by which a container started now would find services. */
@Command(
        name = "env",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = "Print the environment variables of services that a container started now would find.")
final class EnvCommand implements Runnable {
    private static final long WAIT_SECONDS = 30;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = {"-n", "--namespace"}, paramLabel = "NS", defaultValue = "default", description = "The container's namespace (default: ${DEFAULT-VALUE}).")
    private String namespace = "default";

    @Option(names = "--manifests", paramLabel = "PATH", description = "Read the cluster from manifests.")
    private List<Path> manifests = List.of();

    @Option(
            names = "--service-cidr",
            paramLabel = "CIDR",
            description = "With --manifests: where cluster IPs come from, as for the server (default: 10.96.0.0/12, and any chosen address is accepted).")
    private List<String> serviceCidrs = List.of();

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Ask the API server of this kubeconfig's current context.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--enable-service-links",
            paramLabel = "true|false",
            arity = "1",
            defaultValue = "true",
            description = "Whether the pod has service links (default: ${DEFAULT-VALUE}); without them only the API server is told.")
    private boolean serviceLinks = true;

    @Override
    public void run() {
        Collector collector = new Collector();
        @Nullable PrintStream before = Log.redirect(System.err);   // standard output is for the variables
        try (ClusterSource source = source()) {
            source.start(collector);
            collector.await();
        } finally {
            Log.redirect(before);
        }
        PrintWriter out = spec.commandLine().getOut();
        ServiceEnvironment.ofPod(namespace, serviceLinks, collector.services()).lines().forEach(out::println);
        out.flush();
    }

    private ClusterSource source() {
        WatchScope services = new WatchScope(LabelSelector.ALL, LabelSelector.ALL, false, false, false);
        if (manifests.isEmpty() == (kubeconfig == null)) {
            throw new CommandFailure(Cairn.USAGE, "cairn: which cluster? Add --manifests PATH or --kubeconfig FILE, and not both");
        }
        if (kubeconfig == null) {
            return ManifestSource.of(new ManifestOptions(manifests, control()), services);
        }
        if (!serviceCidrs.isEmpty()) {
            throw new CommandFailure(Cairn.USAGE, "cairn: --service-cidr goes with --manifests: an API server allocates by itself; remove it");
        }
        checkThere(kubeconfig);
        return ApiSource.of(ApiOptions.fromKubeconfig(kubeconfig, null), services, ApiObserver.NONE);
    }

    private ControlOptions control() {
        manifests.forEach(EnvCommand::checkThere);
        try {
            return ControlOptions.DEFAULT.withServiceRanges(serviceCidrs.stream().map(AddressRange::parse).toList()).withApiService(true);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(Cairn.USAGE, "cairn: --service-cidr: " + e.getMessage());
        }
    }

    private static void checkThere(Path path) {
        if (!Files.exists(path)) {
            throw new CommandFailure(Cairn.USAGE, "cairn: " + path + ": there is no such file or directory");
        }
    }

    /** Gathers services until all have been told. */
    private static final class Collector implements ClusterListener {
        private final Map<String, ServiceFact> services = new TreeMap<>();
        private final CountDownLatch synced = new CountDownLatch(1);

        @Override
        public synchronized void put(Fact fact) {
            if (fact instanceof ServiceFact service) {
                services.put(service.namespace() + "/" + service.name(), service);
            }
        }

        @Override
        public synchronized void remove(Resource resource, String namespace, String name) {
            if (resource == Resource.SERVICES) {
                services.remove(namespace + "/" + name);
            }
        }

        @Override
        public void synced(Resource resource) {
            if (resource == Resource.SERVICES) {
                synced.countDown();
            }
        }

        synchronized List<ServiceFact> services() {
            return List.copyOf(services.values());
        }

        void await() {
            try {
                if (!synced.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
                    throw new CommandFailure(Cairn.FAILURE, "cairn: the cluster did not tell its services within " + WAIT_SECONDS + " s");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommandFailure(Cairn.FAILURE, "cairn: interrupted");
            }
        }
    }
}
