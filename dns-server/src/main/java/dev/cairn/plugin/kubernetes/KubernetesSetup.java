package dev.cairn.plugin.kubernetes;

import dev.cairn.cluster.LabelSelector;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.api.ApiOptions;
import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.ControlOptions;
import dev.cairn.cluster.manifest.ManifestOptions;
import dev.cairn.cluster.origin.ClusterOrigin;
import dev.cairn.corefile.Use;
import dev.cairn.facts.Address;
import dev.cairn.facts.Resource;
import dev.cairn.log.Log;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.SearchList;
import dev.cairn.plugin.kubernetes.KubernetesSettings.PodMode;
import dev.cairn.wire.WireName;
import dev.cairn.zone.ClusterStore;
import dev.cairn.zone.ZoneOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads {@code kubernetes}. */
public final class KubernetesSetup implements PluginSetup {
    private static final Log LOG = Log.plugin("kubernetes");

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
        Service service = new Service(block, settings, source, scope, plugin, reader.startupTimeout);
        block.onStart(service::start);
        block.onStop(service::stop);
    }

    /** Connects the plugin with a store while its instance is in service. */
    private static final class Service {
        private final Block block;
        private final KubernetesSettings settings;
        private final ClusterOrigin source;
        private final WatchScope scope;
        private final KubernetesPlugin plugin;
        private final Duration startupTimeout;
        private final List<ClusterStore.View> views = new ArrayList<>();
        private ClusterStores.@Nullable Lease lease;

        Service(Block block, KubernetesSettings settings, ClusterOrigin source, WatchScope scope, KubernetesPlugin plugin,
                Duration startupTimeout) {
            this.block = block;
            this.settings = settings;
            this.source = source;
            this.scope = scope;
            this.plugin = plugin;
            this.startupTimeout = startupTimeout;
        }

        void start() throws IOException {
            SourceMetrics metrics = block.host().process().get(SourceMetrics.class, () -> new SourceMetrics(block.host().metrics()));
            ClusterStores stores = block.host().process().get(ClusterStores.class, ClusterStores::new);
            ClusterSharing sharing = block.host().process().get(ClusterSharing.class, () -> ClusterSharing.NONE);
            lease = stores.acquire(List.of(source, scope), () -> new ClusterStore(wanted(), () -> Instant.now().getEpochSecond()),
                    () -> sharing.open(source, scope, metrics::open),
                    (made, from) -> new FirstSync(metrics.metered(made), wanted(), from::place, System::nanoTime));
            ClusterStore store = lease.store();
            ServedZone[] zones = new ServedZone[settings.zones().size()];
            ClusterStore.View primary = null;
            for (int i = 0; i < zones.length; i++) {
                WireName zone = settings.zones().get(i);
                ClusterStore.View view = null;
                if (!KubernetesSettings.isReverse(zone)) {
                    view = store.attach(options(zone), zone.equals(settings.primary()));
                    views.add(view);
                    primary = zone.equals(settings.primary()) ? view : primary;
                }
                zones[i] = new ServedZone(zone, settings.ttl(), store, view);
            }
            if (primary != null) {
                plugin.serve(new Served(store, zones, primary, localAddresses(), nodeSearch()));
            }
            block.host().scheduler().schedule(this::warnIfNotSynced, startupTimeout.toMillis(), TimeUnit.MILLISECONDS);
        }

        private void warnIfNotSynced() {
            if (lease != null && !plugin.isReady()) {
                LOG.warning("not synced after " + startupTimeout.toSeconds() + " s: queries for " + settings.primary()
                        + " get SERVFAIL until the cluster is known");
            }
        }

        private ZoneOptions options(WireName zone) {
            return new ZoneOptions(zone, settings.ttl(), settings.namespaces(), settings.podNames(), settings.emptyServices(),
                    settings.imported().contains(zone));
        }

        private Set<Resource> wanted() {
            Set<Resource> wanted = EnumSet.of(Resource.NAMESPACES, Resource.SERVICES);
            if (scope.slices()) {
                wanted.add(Resource.SLICES);
            }
            if (scope.pods()) {
                wanted.add(Resource.PODS);
            }
            if (scope.imports()) {
                wanted.add(Resource.IMPORTS);
            }
            return wanted;
        }

        /** The addresses this block listens on, but for loopback. */
        private Set<Address> localAddresses() throws IOException {
            Set<Address> addresses = new LinkedHashSet<>();
            for (String host : block.listenHosts()) {
                List<InetAddress> those = host.isEmpty()
                        ? NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses).toList()
                        : List.of(InetAddress.getByName(host));
                those.stream().filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                        .forEach(address -> addresses.add(Address.of(address.getAddress())));
            }
            return addresses;
        }

        /** A pod with the cluster's DNS policy has the search list of its node after its own; this server's file has it, too. */
        private static List<WireName> nodeSearch() {
            try {
                return SearchList.read(Path.of("/etc/resolv.conf"));
            } catch (IOException e) {
                return List.of(); // as CoreDNS has it: a container need not have the file
            }
        }

        void stop() {
            plugin.serve(null);
            views.forEach(ClusterStore.View::close);
            views.clear();
            if (lease != null) {
                lease.close();
                lease = null;
            }
        }
    }

    /** What has been read of a directive so far. */
    private static final class Reader {
        private static final List<String> PROPERTIES = List.of("endpoint", "tls", "kubeconfig", "apiserver_qps", "apiserver_burst",
                "apiserver_max_inflight", "namespaces", "namespace_labels", "labels", "pods", "endpoint_pod_names", "ttl", "noendpoints",
                "fallthrough", "ignore", "multicluster", "zonal", "startup_timeout", "manifests", "service_cidr", "load_balancer_cidr");
        private static final int MAX_TTL = 3600;

        private final Block block;
        private final Set<String> namespaces = new HashSet<>();
        private final List<Path> manifests = new ArrayList<>();
        private final List<AddressRange> serviceRanges = new ArrayList<>();
        private @Nullable AddressRange loadBalancerPool;
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
        private Duration startupTimeout = Duration.ofSeconds(5);

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
            if (manifests.isEmpty() && (!serviceRanges.isEmpty() || loadBalancerPool != null)) {
                use.error("service_cidr and load_balancer_cidr go with manifests: an API server allocates by itself; remove them");
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
                ControlOptions control = ControlOptions.DEFAULT.withServiceRanges(serviceRanges);
                return new ClusterOrigin.Manifests(
                        new ManifestOptions(manifests, loadBalancerPool == null ? control : control.withLoadBalancerPool(loadBalancerPool)));
            }
            ApiOptions options = kubeconfig != null
                    ? ApiOptions.fromKubeconfig(kubeconfig, context)
                    : endpoint != null ? ApiOptions.atEndpoint(endpoint, tls) : ApiOptions.inCluster();
            return new ClusterOrigin.Api(options.withLimits(qps, burst, maxInflight));
        }

        WatchScope scope() {
            boolean watchPods = pods == PodMode.VERIFIED;
            return new WatchScope(namespaceLabels, labels, endpoints, watchPods, !imported.isEmpty(), watchPods && block.hasMetadata());
        }

        private void property(Use line) {
            switch (line.name()) {
                case "endpoint", "tls", "kubeconfig", "apiserver_qps", "apiserver_burst", "apiserver_max_inflight", "startup_timeout",
                        "manifests" -> connection(line);
                case "namespaces", "namespace_labels", "labels" -> selection(line);
                case "service_cidr", "load_balancer_cidr" -> ranges(line);
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
                case "apiserver_qps" -> qps = number(line, "apiserver_qps NUMBER");
                case "apiserver_burst" -> burst = (int) number(line, "apiserver_burst NUMBER");
                case "apiserver_max_inflight" -> maxInflight = (int) number(line, "apiserver_max_inflight NUMBER");
                case "startup_timeout" -> {
                    if (line.expect(1, 1, "startup_timeout DURATION")) {
                        startupTimeout = line.durationArg(0, Duration.ZERO, Duration.ofDays(1), startupTimeout);
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
