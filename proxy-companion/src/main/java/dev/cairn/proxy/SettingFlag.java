package dev.cairn.proxy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A flag that stands for settings of a KubeProxyConfiguration, by kube-proxy's name for it.
 *
 * @param parameter what is written after it; empty for one that is given alone or with {@code =true} or {@code =false}
 * @param settings by their names in the file
 */
record SettingFlag(List<String> names, String parameter, String description, List<String> settings) {
    private static SettingFlag of(String name, String parameter, String setting, String description) {
        return new SettingFlag(List.of(name), parameter, description, List.of(setting));
    }

    static final List<SettingFlag> ALL = List.of(
            of("--kubeconfig", "FILE", "clientConnection.kubeconfig", "How to reach the API server; without it, as a pod of the cluster."),
            of("--master", "URL", "master", "The API server's URL, if it asks for no credentials."),
            of("--hostname-override", "NAME", "hostnameOverride", "The name of this node (default: its host name)."),
            new SettingFlag(List.of("--proxy-mode", "--mode"), "MODE",
                    "nftables (default), ipvs, iptables, userspace or auto; what this machine cannot do is replaced by the next best.", List.of("mode")),
            of("--cluster-cidr", "RANGE,...", "clusterCIDR", "Where pods have their addresses: what comes from elsewhere is masqueraded."),
            of("--detect-local-mode", "MODE", "detectLocalMode", "ClusterCIDR, NodeCIDR, BridgeInterface or InterfaceNamePrefix."),
            of("--pod-bridge-interface", "NAME", "detectLocal.bridgeInterface", "For BridgeInterface: the bridge of the pods."),
            of("--pod-interface-name-prefix", "PREFIX", "detectLocal.interfaceNamePrefix",
                    "For InterfaceNamePrefix: how interfaces of pods begin."),
            of("--nodeport-addresses", "RANGE,...", "nodePortAddresses", "Where node ports are found: ranges, primary (default) or all."),
            of("--masquerade-all", "", "masqueradeAll", "Masquerade all traffic to cluster IPs."),
            of("--iptables-localhost-nodeports", "", "iptables.localhostNodePorts", "For iptables and userspace: node ports at 127.0.0.1."),
            of("--iptables-variant", "KIND", "iptables.variant", "For iptables: nft, legacy, plain or auto (default), what the node uses."),
            new SettingFlag(List.of("--iptables-masquerade-bit"), "BIT", "The bit of the packet mark for masquerading (default: 14).",
                    List.of("iptables.masqueradeBit", "nftables.masqueradeBit")),
            of("--ipvs-scheduler", "NAME", "ipvs.scheduler", "For ipvs: how connections are spread: rr (default), wrr, lc, wlc, sh, dh, sed, nq or mh."),
            of("--ipvs-exclude-cidrs", "RANGE,...", "ipvs.excludeCIDRs", "For ipvs: where virtual servers of others are left alone."),
            of("--ipvs-strict-arp", "", "ipvs.strictARP", "For ipvs: only the link that has an address answers for it."),
            of("--ipvs-tcp-timeout", "TIME", "ipvs.tcpTimeout", "For ipvs: how long an idle TCP connection is remembered (default: the kernel's)."),
            of("--ipvs-tcpfin-timeout", "TIME", "ipvs.tcpFinTimeout", "For ipvs: how long after it has ended."),
            of("--ipvs-udp-timeout", "TIME", "ipvs.udpTimeout", "For ipvs: how long UDP is remembered."),
            of("--ipvs-drain-timeout", "TIME", "ipvs.drainTimeout",
                    "For ipvs: how long an endpoint that is gone keeps its connections at most (default: 15m)."),
            of("--service-counters", "", "nftables.serviceCounters", "For nftables: count the connections to each service."),
            of("--udp-timeout", "TIME", "udpIdleTimeout", "For userspace: after how much silence a UDP client is forgotten (default: 60s)."),
            of("--conntrack-max-per-core", "COUNT", "conntrack.maxPerCore", "Connections to track for each processor (default: 32768); 0 leaves it."),
            of("--conntrack-min", "COUNT", "conntrack.min", "Connections to track at least (default: 131072)."),
            of("--conntrack-tcp-timeout-established", "TIME", "conntrack.tcpEstablishedTimeout",
                    "How long an idle TCP connection is tracked (default: 24h); 0 leaves it."),
            of("--conntrack-tcp-timeout-close-wait", "TIME", "conntrack.tcpCloseWaitTimeout",
                    "How long a half-closed TCP connection is tracked (default: 1h); 0 leaves it."),
            of("--conntrack-tcp-be-liberal", "", "conntrack.tcpBeLiberal", "Take TCP packets out of the window for part of their connection."),
            of("--conntrack-udp-timeout", "TIME", "conntrack.udpTimeout", "How long a UDP flow is tracked that was not answered; 0 leaves it."),
            of("--conntrack-udp-timeout-stream", "TIME", "conntrack.udpStreamTimeout", "How long an answered UDP flow is tracked; 0 leaves it."),
            of("--conntrack-sctp-cleanup", "", "conntrack.sctpCleanup",
                    "Have SCTP flows forgotten, too, that lead to endpoints that are gone (default: only UDP)."),
            of("--bind-address", "ADDRESS", "bindAddress", "The address that this node is known by (default: what its Node object says)."),
            of("--oom-score-adj", "NUMBER", "oomScoreAdj", "How much this process is spared when memory runs out, from -1000 to 1000 (default: as it is)."),
            of("--healthz-bind-address", "ADDR:PORT", "healthzBindAddress", "Where /healthz and /livez are found (default: 0.0.0.0:10256)."),
            of("--metrics-bind-address", "ADDR:PORT", "metricsBindAddress", "Where /metrics is found (default: 127.0.0.1:10249)."),
            of("--logging-format", "text|json", "logging.format", "How log lines look (default: text)."),
            new SettingFlag(List.of("--v", "-v"), "LEVEL", "How much is logged (default: 0); from 4 on, what helps to find mistakes, too.",
                    List.of("logging.verbosity")));

    /** Kept so that kube-proxy's arguments work: those with a value, and those that are given alone or with one. */
    static final Set<String> IGNORED = Set.of("--vmodule", "--log-flush-frequency", "--ipvs-sync-period", "--ipvs-min-sync-period",
            "--iptables-sync-period", "--iptables-min-sync-period", "--config-sync-period", "--feature-gates", "--kube-api-qps", "--kube-api-burst",
            "--kube-api-content-type", "--show-hidden-metrics-for-version", "--disabled-metrics", "--allow-metric-labels",
            "--allow-metric-labels-manifest", "--log-json-info-buffer-size", "--log-text-info-buffer-size", "--log-backtrace-at", "--log-dir",
            "--log-file", "--log-file-max-size", "--stderrthreshold", "--proxy-port-range");
    static final Set<String> IGNORED_SWITCHES = Set.of("--bind-address-hard-fail", "--profiling", "--log-json-split-stream",
            "--log-text-split-stream", "--alsologtostderr", "--logtostderr", "--add-dir-header", "--one-output", "--skip-headers",
            "--skip-log-headers");

    static @Nullable SettingFlag named(String name) {
        for (SettingFlag flag : ALL) {
            if (flag.names.contains(name)) {
                return flag;
            }
        }
        return null;
    }

    /**
     * Lets a command take all of them; what is given is put into a map by the names of settings.
     *
     * @param ignored where the names of those are added to that are given and mean nothing here
     */
    static void addTo(CommandSpec command, Map<String, String> given, Set<String> ignored) {
        for (SettingFlag flag : ALL) {
            OptionSpec.Builder option = flag.option(given);
            command.addOption(flag.parameter().isEmpty() ? option.arity("0..1").fallbackValue("true").build()
                    : option.arity("1").paramLabel(flag.parameter()).build());
        }
        for (String name : IGNORED) {
            command.addOption(ignored(name, ignored).arity("1").build());
        }
        for (String name : IGNORED_SWITCHES) {
            command.addOption(ignored(name, ignored).arity("0..1").fallbackValue("true").build());
        }
    }

    private static OptionSpec.Builder ignored(String name, Set<String> ignored) {
        return OptionSpec.builder(name).type(String.class).hidden(true).setter(setter(_ -> ignored.add(name)));
    }

    private OptionSpec.Builder option(Map<String, String> given) {
        List<String> all = new ArrayList<>(names);
        return OptionSpec.builder(all.removeFirst(), all.toArray(String[]::new)).type(String.class).description(description)
                .setter(setter(text -> settings.forEach(setting -> given.put(setting, text))));
    }

    private static ISetter setter(Consumer<String> taken) {
        return new ISetter() {
            @Override
            @SuppressWarnings("TypeParameterUnusedInFormals")   // picocli's
            public <T> T set(T value) {
                if (value instanceof String text) {
                    taken.accept(text);
                }
                return value;
            }
        };
    }
}
