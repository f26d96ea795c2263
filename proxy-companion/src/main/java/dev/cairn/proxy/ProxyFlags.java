package dev.cairn.proxy;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.api.ApiObserver;
import dev.cairn.cluster.api.ApiOptions;
import dev.cairn.cluster.api.ApiSource;
import dev.cairn.cluster.control.ControlOptions;
import dev.cairn.cluster.control.PortRange;
import dev.cairn.cluster.manifest.ManifestOptions;
import dev.cairn.cluster.manifest.ManifestSource;
import dev.cairn.proxy.config.ConfigFile;
import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.plan.NodeView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say which cluster, which node and how; those of kube-proxy have its names. Shared by all commands. */
final class ProxyFlags {
    /** Given flags by the names that the settings have in a file. */
    private final Map<String, String> given = new TreeMap<>();

    @Option(names = "--config", paramLabel = "FILE", description = "A KubeProxyConfiguration; flags win over what it says.")
    private @Nullable Path config;

    @Option(names = "--manifests", paramLabel = "PATH", split = ",", description = "Read the cluster from manifests instead of an API server.")
    private List<Path> manifests = List.of();

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "How to reach the API server; without it, as a pod of the cluster.")
    void kubeconfig(String value) {
        given.put("clientConnection.kubeconfig", value);
    }

    @Option(names = "--master", paramLabel = "URL", description = "The API server's URL, if it asks for no credentials.")
    void master(String value) {
        given.put("master", value);
    }

    @Option(names = "--hostname-override", paramLabel = "NAME", description = "The name of this node (default: its host name).")
    void hostname(String value) {
        given.put("hostnameOverride", value);
    }

    @Option(names = {"--proxy-mode", "--mode"}, paramLabel = "MODE", description = "nftables (default) or ipvs.")
    void mode(String value) {
        given.put("mode", value);
    }

    @Option(names = "--cluster-cidr", paramLabel = "RANGE,...", description = "Where pods have their addresses: what comes from elsewhere is masqueraded.")
    void clusterCidr(String value) {
        given.put("clusterCIDR", value);
    }

    @Option(names = "--detect-local-mode", paramLabel = "MODE", description = "ClusterCIDR, NodeCIDR, BridgeInterface or InterfaceNamePrefix.")
    void detectLocalMode(String value) {
        given.put("detectLocalMode", value);
    }

    @Option(names = "--pod-bridge-interface", paramLabel = "NAME", description = "For BridgeInterface: the bridge of the pods.")
    void bridge(String value) {
        given.put("detectLocal.bridgeInterface", value);
    }

    @Option(names = "--pod-interface-name-prefix", paramLabel = "PREFIX", description = "For InterfaceNamePrefix: how interfaces of pods begin.")
    void prefix(String value) {
        given.put("detectLocal.interfaceNamePrefix", value);
    }

    @Option(names = "--nodeport-addresses", paramLabel = "RANGE,...", description = "Where node ports are found: ranges, primary (default) or all.")
    void nodePortAddresses(String value) {
        given.put("nodePortAddresses", value);
    }

    @Option(names = "--masquerade-all", arity = "0..1", fallbackValue = "true", description = "Masquerade all traffic to cluster IPs.")
    void masqueradeAll(String value) {
        given.put("masqueradeAll", value);
    }

    @Option(names = "--iptables-localhost-nodeports", arity = "0..1", fallbackValue = "true", description = "For iptables: node ports at 127.0.0.1.")
    void localhostNodePorts(String value) {
        given.put("iptables.localhostNodePorts", value);
    }

    @Option(names = "--iptables-masquerade-bit", paramLabel = "BIT", description = "The bit of the packet mark for masquerading (default: 14).")
    void masqueradeBit(String value) {
        given.put("iptables.masqueradeBit", value);
        given.put("nftables.masqueradeBit", value);
    }

    @Option(names = "--ipvs-scheduler", paramLabel = "NAME", description = "For ipvs: how connections are spread: rr (default), wrr, lc, wlc, sh, dh, sed, nq or mh.")
    void ipvsScheduler(String value) {
        given.put("ipvs.scheduler", value);
    }

    @Option(names = "--ipvs-exclude-cidrs", paramLabel = "RANGE,...", description = "For ipvs: where virtual servers of others are left alone.")
    void ipvsExclude(String value) {
        given.put("ipvs.excludeCIDRs", value);
    }

    @Option(names = "--ipvs-tcp-timeout", paramLabel = "TIME", description = "For ipvs: how long an idle TCP connection is remembered (default: as the kernel has it).")
    void ipvsTcp(String value) {
        given.put("ipvs.tcpTimeout", value);
    }

    @Option(names = "--ipvs-tcpfin-timeout", paramLabel = "TIME", description = "For ipvs: how long after it has ended.")
    void ipvsTcpFin(String value) {
        given.put("ipvs.tcpFinTimeout", value);
    }

    @Option(names = "--ipvs-udp-timeout", paramLabel = "TIME", description = "For ipvs: how long UDP is remembered.")
    void ipvsUdp(String value) {
        given.put("ipvs.udpTimeout", value);
    }

    @Option(names = "--ipvs-drain-timeout", paramLabel = "TIME", description = "For ipvs: how long an endpoint that is gone keeps its connections at most (default: 15m).")
    void ipvsDrain(String value) {
        given.put("ipvs.drainTimeout", value);
    }

    @Option(names = "--ipvs-strict-arp", arity = "0..1", fallbackValue = "true", description = "For ipvs: only the link that has an address answers for it.")
    void ipvsStrictArp(String value) {
        given.put("ipvs.strictARP", value);
    }

    @Option(names = {"--ipvs-sync-period", "--ipvs-min-sync-period"}, paramLabel = "TIME", hidden = true, description = "Taken and not used: changes apply at once.")
    void ipvsSyncPeriod(String value) {
        given.put("ipvs.syncPeriod", value);
    }

    @Option(names = "--healthz-bind-address", paramLabel = "ADDR:PORT", description = "Where /healthz and /livez are found (default: 0.0.0.0:10256).")
    void healthz(String value) {
        given.put("healthzBindAddress", value);
    }

    @Option(names = "--metrics-bind-address", paramLabel = "ADDR:PORT", description = "Where /metrics is found (default: 127.0.0.1:10249).")
    void metrics(String value) {
        given.put("metricsBindAddress", value);
    }

    @Option(names = "--v", paramLabel = "LEVEL", hidden = true, description = "Taken and not used, so that kube-proxy's arguments work.")
    void verbosity(String value) {
        given.put("v", value);
    }

    /** All settings. Whatever is wrong with them is told before anything is done. */
    ProxyConfig settings() {
        try {
            ProxyConfig settings = (config == null ? new ProxyConfig(Map.of()) : ConfigFile.read(config)).with(given);
            settings.traffic(node(settings));
            settings.masqueradeBit();
            Backends.ipvs(settings);
            return settings;
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(CairnProxy.USAGE, String.valueOf(e.getMessage()));
        }
    }

    /** What is known of the node before its Node object is. */
    NodeView node(ProxyConfig settings) {
        String name = settings.text("hostnameOverride", "");
        return OwnNode.view(name.isEmpty() ? hostname() : name.strip().toLowerCase(Locale.ROOT));
    }

    private static String hostname() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip().toLowerCase(Locale.ROOT);
        } catch (IOException e) {
            throw new CommandFailure(CairnProxy.USAGE, "this node's name cannot be found out: give it by --hostname-override");
        }
    }

    ClusterSource source(ProxyConfig settings, String nodeName) {
        WatchScope scope = WatchScope.traffic(nodeName);
        if (!manifests.isEmpty()) {
            for (Path path : manifests) {
                if (!Files.exists(path)) {
                    throw new CommandFailure(CairnProxy.USAGE, path + ": there is no such file or directory");
                }
            }
            // Node ports that manifests choose are taken as they are: that a cluster would refuse one is not the proxy's concern.
            ControlOptions any = new ControlOptions(List.of(), null, new PortRange(1, 0xffff), false);
            return ManifestSource.of(new ManifestOptions(manifests, any), scope);
        }
        String kubeconfig = settings.text("clientConnection.kubeconfig", "");
        String master = settings.text("master", "");
        ApiOptions options = !kubeconfig.isEmpty() ? ApiOptions.fromKubeconfig(Path.of(kubeconfig), null)
                : !master.isEmpty() ? ApiOptions.atEndpoint(master, null) : ApiOptions.inCluster();
        boolean inPod = System.getenv("KUBERNETES_SERVICE_HOST") != null;
        if (kubeconfig.isEmpty() && master.isEmpty() && !inPod) {
            throw new CommandFailure(CairnProxy.USAGE, "which cluster? Give --kubeconfig FILE, --master URL or --manifests PATH");
        }
        return ApiSource.of(options, scope, ApiObserver.NONE);
    }
}
