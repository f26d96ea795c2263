package dev.cairn.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {
    @TempDir
    private Path directory;

    private Path file;
    private final List<String> complaints = new ArrayList<>();

    @BeforeEach
    void name() {
        file = directory.resolve("config.conf");
    }

    private ProxyConfig read(String text) throws IOException {
        return ConfigFile.read(Files.writeString(file, text), complaints);
    }

    @Test
    void what_kubeadm_writes_means_something_all_of_it() throws IOException {
        read("""
                apiVersion: kubeproxy.config.k8s.io/v1alpha1
                bindAddress: 0.0.0.0
                bindAddressHardFail: false
                clientConnection:
                  acceptContentTypes: ""
                  burst: 0
                  contentType: ""
                  kubeconfig: /var/lib/kube-proxy/kubeconfig.conf
                  qps: 0
                clusterCIDR: 10.244.0.0/16
                configSyncPeriod: 0s
                conntrack:
                  maxPerCore: null
                  min: null
                  tcpBeLiberal: false
                  tcpCloseWaitTimeout: null
                  tcpEstablishedTimeout: null
                  udpStreamTimeout: 0s
                  udpTimeout: 0s
                detectLocal:
                  bridgeInterface: ""
                  interfaceNamePrefix: ""
                detectLocalMode: ""
                enableProfiling: false
                featureGates: {SomeGate: true}
                healthzBindAddress: ""
                hostnameOverride: ""
                iptables:
                  localhostNodePorts: null
                  masqueradeAll: false
                  masqueradeBit: null
                  minSyncPeriod: 0s
                  syncPeriod: 0s
                ipvs:
                  excludeCIDRs: null
                  minSyncPeriod: 0s
                  scheduler: ""
                  strictARP: false
                  syncPeriod: 0s
                  tcpFinTimeout: 0s
                  tcpTimeout: 0s
                  udpTimeout: 0s
                kind: KubeProxyConfiguration
                logging:
                  flushFrequency: 0
                  options:
                    json:
                      infoBufferSize: "0"
                    text:
                      infoBufferSize: "0"
                  verbosity: 0
                metricsBindAddress: ""
                mode: ""
                nftables:
                  masqueradeAll: false
                  masqueradeBit: null
                  minSyncPeriod: 0s
                  syncPeriod: 0s
                nodePortAddresses: null
                oomScoreAdj: null
                portRange: ""
                showHiddenMetricsForVersion: ""
                winkernel:
                  enableDSR: false
                  forwardHealthCheckVIP: false
                  networkName: ""
                  rootHnsEndpointName: ""
                  sourceVip: ""
                """);
        assertThat(complaints).isEmpty();
    }

    @Test
    void what_means_nothing_is_named_with_what_may_have_been_meant() throws IOException {
        ProxyConfig settings = read("""
                kind: KubeProxyConfiguration
                mod: ipvs
                iptable: {masqueradeAll: true}
                conntrack:
                  maxPerCores: 5
                masqueradeBit: 3
                somethingElse: 1
                """);
        assertThat(complaints).containsExactly(
                file + ":2: mod is no setting of a KubeProxyConfiguration and has no effect: did you mean mode?",
                file + ":3: iptable is no setting of a KubeProxyConfiguration and has no effect: did you mean iptables?",
                file + ":5: conntrack.maxPerCores is no setting of a KubeProxyConfiguration and has no effect: did you mean conntrack.maxPerCore?",
                file + ":6: masqueradeBit is no setting of a KubeProxyConfiguration and has no effect: did you mean iptables.masqueradeBit?",
                file + ":7: somethingElse is no setting of a KubeProxyConfiguration and has no effect");
        assertThat(settings.mode()).isEqualTo(ProxyMode.NFTABLES);
    }

    @Test
    void settings_that_are_written_are_read_again() throws IOException {
        Map<String, String> values = Map.of("mode", "ipvs", "ipvs.strictARP", "true", "ipvs.excludeCIDRs", "10.0.0.0/8,fd00::/8", "oomScoreAdj", "-998",
                "logging.options.json.splitStream", "false", "logging.verbosity", "2", "hostnameOverride", "77", "nodePortAddresses", "primary",
                "conntrack.tcpEstablishedTimeout", "1h");
        String text = ConfigFile.text(new ProxyConfig(values));
        assertThat(text).startsWith("apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n")
                .contains("\nipvs:\n  excludeCIDRs: [\"10.0.0.0/8\", \"fd00::/8\"]\n  strictARP: true\n", "\nhostnameOverride: \"77\"\n");
        ProxyConfig again = read(text);
        assertThat(complaints).isEmpty();
        assertThat(again.values()).containsAllEntriesOf(values);
    }

    @Test
    void what_is_no_configuration_at_all_is_one_line() {
        assertThatThrownBy(() -> read("a: [")).isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith(file + ": not YAML: ")
                .message().doesNotContain("\n");
        assertThatThrownBy(() -> read("kind: Pod")).hasMessage(file + ": kind is Pod, not KubeProxyConfiguration");
        assertThatThrownBy(() -> read("just words")).hasMessage(file + ": not a KubeProxyConfiguration: write \"kind: KubeProxyConfiguration\"");
        assertThatThrownBy(() -> ConfigFile.read(directory.resolve("none"), complaints))
                .hasMessage(directory.resolve("none") + ": there is no such file");
    }
}
