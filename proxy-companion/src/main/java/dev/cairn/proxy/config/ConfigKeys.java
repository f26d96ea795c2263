package dev.cairn.proxy.config;

import dev.cairn.log.NearestWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** The settings that a KubeProxyConfiguration has, kube-proxy's and ours, whether they have an effect here or not. */
final class ConfigKeys {
    private static final Set<String> KNOWN = new TreeSet<>(Set.of(
            "apiVersion", "kind", "bindAddress", "bindAddressHardFail", "clusterCIDR", "configSyncPeriod", "detectLocalMode", "enableProfiling",
            "featureGates", "healthzBindAddress", "hostnameOverride", "masqueradeAll", "master", "metricsBindAddress", "mode", "nodePortAddresses",
            "oomScoreAdj", "portRange", "resourceContainer", "showHiddenMetricsForVersion", "udpIdleTimeout", "windowsRunAsService",
            "clientConnection.acceptContentTypes", "clientConnection.burst", "clientConnection.contentType", "clientConnection.kubeconfig",
            "clientConnection.qps", "conntrack.max", "conntrack.maxPerCore", "conntrack.min", "conntrack.sctpCleanup", "conntrack.tcpBeLiberal",
            "conntrack.tcpCloseWaitTimeout", "conntrack.tcpEstablishedTimeout", "conntrack.udpStreamTimeout", "conntrack.udpTimeout",
            "detectLocal.bridgeInterface", "detectLocal.interfaceNamePrefix",
            "iptables.localhostNodePorts", "iptables.masqueradeAll", "iptables.masqueradeBit", "iptables.minSyncPeriod", "iptables.syncPeriod",
            "iptables.variant", "ipvs.drainTimeout", "ipvs.excludeCIDRs", "ipvs.minSyncPeriod", "ipvs.scheduler", "ipvs.strictARP",
            "ipvs.syncPeriod", "ipvs.tcpFinTimeout", "ipvs.tcpTimeout", "ipvs.udpTimeout",
            "logging.flushFrequency", "logging.format", "logging.options.json.infoBufferSize", "logging.options.json.splitStream",
            "logging.options.text.infoBufferSize", "logging.options.text.splitStream", "logging.verbosity", "logging.vmodule",
            "nftables.masqueradeAll", "nftables.masqueradeBit", "nftables.minSyncPeriod", "nftables.serviceCounters", "nftables.syncPeriod",
            "winkernel.enableDSR", "winkernel.forwardHealthCheckVIP", "winkernel.networkName", "winkernel.rootHnsEndpointName",
            "winkernel.sourceVip"));

    private final String file;
    private final List<String> complaints = new ArrayList<>();

    private ConfigKeys(String file) {
        this.file = file;
    }

    /** What a file has that no setting is called, one line each. The text has been read before, so it is YAML. */
    static List<String> unknown(String file, String text) {
        ConfigKeys keys = new ConfigKeys(file);
        new Compose(LoadSettings.builder().build()).composeString(text).ifPresent(root -> keys.visit("", root));
        return keys.complaints;
    }

    private void visit(String prefix, Node node) {
        if (node instanceof MappingNode map) {
            for (NodeTuple entry : map.getValue()) {
                if (entry.getKeyNode() instanceof ScalarNode key) {
                    visit(prefix, key, entry.getValueNode());
                }
            }
        }
    }

    private void visit(String prefix, ScalarNode key, Node value) {
        String path = prefix + key.getValue();
        if (KNOWN.contains(path)) {
            return;
        }
        boolean group = KNOWN.stream().anyMatch(known -> known.startsWith(path + "."));
        if (group) {
            visit(path + ".", value);
            return;
        }
        String line = key.getStartMark().map(Mark::getLine).map(number -> ":" + (number + 1)).orElse("");
        String near = near(prefix, key.getValue());
        complaints.add(file + line + ": " + path + " is no setting of a KubeProxyConfiguration and has no effect"
                + (near == null ? "" : ": did you mean " + near + "?"));
    }

    /** What may have been meant: one of the same name elsewhere, or a setting beside it. */
    private static @Nullable String near(String prefix, String name) {
        for (String known : KNOWN) {
            if (known.equals(name) || known.endsWith("." + name)) {
                return known;
            }
        }
        Set<String> beside = new TreeSet<>();
        for (String known : KNOWN) {
            if (known.startsWith(prefix)) {
                beside.add(known.substring(prefix.length()).replaceFirst("\\..*", ""));
            }
        }
        String near = NearestWord.of(name, beside);
        return near == null ? null : prefix + near;
    }
}
