package dev.cairn.plugin.kubernetes;

import dev.cairn.cluster.LabelSelector;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.api.ApiOptions;
import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.ControlOptions;
import dev.cairn.cluster.manifest.ManifestOptions;
import dev.cairn.cluster.origin.ClusterOrigin;
import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.kubernetes.KubernetesSettings.PodMode;
import dev.cairn.wire.WireName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code kubernetes}. */
public final class KubernetesSetup implements PluginSetup {
    @Override
    public String name() {
        return "kubernetes";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Reader reader = new Reader(block);
        KubernetesSettings settings = reader.read(uses.getFirst());
        if (settings == null) {
            return;
        }
        ClusterOrigin source = reader.source();
        WatchScope scope = reader.scope();
        KubernetesPlugin plugin = new KubernetesPlugin(settings, source, scope);
        block.add(plugin);
        block.readiness("kubernetes", plugin::isReady);
        ClusterService service = new ClusterService(block, settings, source, scope, plugin, reader.startupTimeout);
        block.onStart(service::start);
        block.onStop(service::stop);
    }

    /** What has been read of a directive so far. */
    private static final class Reader {
        private static final List<String> PROPERTIES = List.of("endpoint", "tls", "kubeconfig", "apiserver_qps", "apiserver_burst",
                "apiserver_max_inflight", "streamed_lists", "namespaces", "namespace_labels", "labels", "pods", "endpoint_pod_names", "ttl", "noendpoints",
                "fallthrough", "ignore", "multicluster", "zonal", "startup_timeout", "manifests", "service_cidr", "load_balancer_cidr", "noapiservice");
        private static final int MAX_TTL = 3600;

        private final Block block;
        private final Set<String> namespaces = new HashSet<>();
        private final List<Path> manifests = new ArrayList<>();
        private final List<AddressRange> serviceRanges = new ArrayList<>();
        private @Nullable AddressRange loadBalancerPool;
        private boolean apiService = true;
        private LabelSelector namespaceLabels = LabelSelector.ALL;
        private LabelSelector labels = LabelSelector.ALL;
        private PodMode pods = PodMode.DISABLED;
        private int ttl = 5;
        private boolean podNames;
        private boolean endpoints = true;
        private boolean emptyServices = true;
        private boolean zonal;
        private List<WireName> fallthrough = List.of();
        private Set<WireName> imported = Set.of();
        private @Nullable String endpoint;
        private ApiOptions.@Nullable Tls tls;
        private @Nullable Path kubeconfig;
        private @Nullable String context;
        private double qps;
        private int burst;
        private int maxInflight;
        private boolean streamedLists;
        /** Null if not given. */
        private @Nullable Duration startupTimeout;

        Reader(Block block) {
            this.block = block;
        }

        @Nullable KubernetesSettings read(Use use) {
            List<WireName> zones = block.zonesOr(use.zones(0));
            WireName primary = zones.stream().filter(zone -> !KubernetesSettings.isReverse(zone)).findFirst().orElse(null);
            use.block().forEach(this::property);
            if (primary == null) {
                use.error("non-reverse zone name must be used: add one, such as kubernetes cluster.local");
                return null;
            }
            if (!namespaces.isEmpty() && !namespaceLabels.equals(LabelSelector.ALL)) {
                use.error("namespaces and namespace_labels cannot both be set: remove one of them");
            }
            if (serviceRanges.size() == 2 && serviceRanges.get(0).family() == serviceRanges.get(1).family()) {
                use.error("service_cidr: both ranges are of one address family: give one for IPv4 and one for IPv6 at most");
                serviceRanges.removeLast();
            }
            if (manifests.isEmpty() && (!serviceRanges.isEmpty() || loadBalancerPool != null || !apiService)) {
                use.error("service_cidr, load_balancer_cidr and noapiservice go with manifests: an API server does this by itself; remove them");
            }
            if (zonal && !endpoints) {
                use.error("zonal needs endpoints: remove noendpoints");
            }
            imported.stream().filter(zone -> !zones.contains(zone)).forEach(
                    zone -> use.error("multicluster: " + zone + " is not a zone of this plugin: add it to the zones of kubernetes"));
            return new KubernetesSettings(zones, primary, namespaces, ttl, pods, podNames, emptyServices, zonal, imported, fallthrough);
        }

        ClusterOrigin source() {
            if (!manifests.isEmpty()) {
                ControlOptions control = ControlOptions.DEFAULT.withServiceRanges(serviceRanges).withApiService(apiService);
                return new ClusterOrigin.Manifests(
                        new ManifestOptions(manifests, loadBalancerPool == null ? control : control.withLoadBalancerPool(loadBalancerPool)));
            }
            ApiOptions options = kubeconfig != null
                    ? ApiOptions.fromKubeconfig(kubeconfig, context)
                    : endpoint != null ? ApiOptions.atEndpoint(endpoint, tls) : ApiOptions.inCluster();
            ApiOptions limited = options.withLimits(qps, burst, maxInflight);
            return new ClusterOrigin.Api(streamedLists ? limited.withStreamedLists() : limited);
        }

        WatchScope scope() {
            boolean watchPods = pods == PodMode.VERIFIED;
            return new WatchScope(namespaceLabels, labels, endpoints, watchPods, !imported.isEmpty(), watchPods && block.hasMetadata());
        }

        private void property(Use line) {
            switch (line.name()) {
                case "endpoint", "tls", "kubeconfig", "apiserver_qps", "apiserver_burst", "apiserver_max_inflight", "streamed_lists",
                        "startup_timeout", "manifests" -> connection(line);
                case "namespaces", "namespace_labels", "labels" -> selection(line);
                case "service_cidr", "load_balancer_cidr" -> ranges(line);
                case "noapiservice" -> apiService = !line.expect(0, 0, "noapiservice");
                default -> naming(line);
            }
        }

        private void connection(Use line) {
            switch (line.name()) {
                case "endpoint" -> {
                    if (line.expect(1, Integer.MAX_VALUE, "endpoint URL")) {
                        endpoint = line.arg(0);
                        if (line.count() > 1) {
                            line.warning("only the first URL is used: remove the others, or name a load balancer");
                        }
                    }
                }
                case "tls" -> {
                    if (line.expect(3, 3, "tls CERT KEY CACERT")) {
                        tls = new ApiOptions.Tls(block.file(line.arg(0)), block.file(line.arg(1)), block.file(line.arg(2)));
                    }
                }
                case "kubeconfig" -> {
                    if (line.expect(1, 2, "kubeconfig FILE [CONTEXT]")) {
                        kubeconfig = block.file(line.arg(0));
                        context = line.count() > 1 ? line.arg(1) : null;
                    }
                }
                case "streamed_lists" -> streamedLists = line.expect(0, 0, "streamed_lists");
                case "apiserver_qps" -> qps = number(line, "apiserver_qps NUMBER");
                case "apiserver_burst" -> burst = (int) number(line, "apiserver_burst NUMBER");
                case "apiserver_max_inflight" -> maxInflight = (int) number(line, "apiserver_max_inflight NUMBER");
                case "startup_timeout" -> {
                    if (line.expect(1, 1, "startup_timeout DURATION")) {
                        startupTimeout = line.durationArg(0, Duration.ZERO, Duration.ofDays(1), Duration.ZERO);
                    }
                }
                default -> {
                    if (line.expect(1, Integer.MAX_VALUE, "manifests DIRECTORY_OR_FILE...")) {
                        line.args().forEach(path -> manifests.add(block.file(path)));
                    }
                }
            }
        }

        private void ranges(Use line) {
            boolean services = line.name().equals("service_cidr");
            if (!line.expect(1, services ? 2 : 1, services ? "service_cidr CIDR [CIDR of the other family]" : "load_balancer_cidr CIDR")) {
                return;
            }
            for (String text : line.args()) {
                try {
                    AddressRange range = AddressRange.parse(text);
                    if (services) {
                        serviceRanges.add(range);
                    } else {
                        loadBalancerPool = range;
                    }
                } catch (IllegalArgumentException e) {
                    line.error(String.valueOf(e.getMessage()));
                }
            }
        }

        private static double number(Use line, String usage) {
            if (!line.expect(1, 1, usage)) {
                return 0;
            }
            try {
                double number = Double.parseDouble(line.arg(0));
                if (number >= 0 && number <= Integer.MAX_VALUE) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // told below, as a negative number is
            }
            line.error("\"" + line.arg(0) + "\" is not a number of 0 or more; write: " + usage);
            return 0;
        }

        private void selection(Use line) {
            if (!line.expect(1, Integer.MAX_VALUE, line.name() + (line.name().equals("namespaces") ? " NAMESPACE..." : " SELECTOR"))) {
                return;
            }
            if (line.name().equals("namespaces")) {
                namespaces.addAll(line.args());
                return;
            }
            try {
                LabelSelector selector = LabelSelector.parse(String.join(" ", line.args()));
                if (line.name().equals("labels")) {
                    labels = selector;
                } else {
                    namespaceLabels = selector;
                }
            } catch (IllegalArgumentException e) {
                line.error(String.valueOf(e.getMessage()));
            }
        }

        private void naming(Use line) {
            switch (line.name()) {
                case "pods" -> {
                    if (line.expect(1, 1, "pods disabled|insecure|verified")) {
                        pods = line.choice(0, Map.of("disabled", PodMode.DISABLED, "insecure", PodMode.INSECURE, "verified", PodMode.VERIFIED),
                                PodMode.DISABLED);
                    }
                }
                case "endpoint_pod_names" -> podNames = line.expect(0, 0, "endpoint_pod_names");
                case "noendpoints" -> endpoints = !line.expect(0, 0, "noendpoints");
                case "zonal" -> zonal = line.expect(0, 0, "zonal");
                case "ttl" -> {
                    if (line.expect(1, 1, "ttl SECONDS")) {
                        ttl = line.intArg(0, 0, MAX_TTL, ttl);
                    }
                }
                case "ignore" -> {
                    if (line.expect(1, Integer.MAX_VALUE, "ignore empty_service")) {
                        emptyServices = !line.choice(0, Map.of("empty_service", true), false);
                        if (line.count() > 1) {
                            line.warning("what follows " + line.arg(0) + " is without meaning: remove it");
                        }
                    }
                }
                case "fallthrough" ->
                    fallthrough = line.count() == 0 ? List.of(WireName.ROOT) : line.zones(0).stream().map(WireName::parse).toList();
                case "multicluster" -> imported = Set.copyOf(block.zonesOr(line.zones(0)));
                default -> line.unknown(PROPERTIES);
            }
        }
    }
}
