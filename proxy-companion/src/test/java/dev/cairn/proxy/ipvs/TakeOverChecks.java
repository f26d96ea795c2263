package dev.cairn.proxy.ipvs;

import static dev.cairn.proxy.ipvs.VmNetwork.CLIENTS;
import static dev.cairn.proxy.ipvs.VmNetwork.tcp;
import static dev.cairn.proxy.ipvs.VmNetwork.udp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.proxy.ipvs.VmNetwork.Connection;
import dev.cairn.proxy.sync.ApplyFailure;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Starts the command where a kube-proxy in mode ipvs was. The network is that of {@code IpvsChecks}, and nothing is programmed. */
final class TakeOverChecks {
    private static final String CLIENT = "203.0.113.2";
    private static final String NODE_IP = "192.168.0.2";
    private static final List<String> NODE = List.of(NODE_IP, "100.64.1.1", "100.64.2.1");
    private static final int PORT = 5353;

    private TakeOverChecks() {}

    static Map<String, CheckRun.Check> all() {
        TakeOverChecks checks = new TakeOverChecks();
        Map<String, CheckRun.Check> all = new LinkedHashMap<>();
        all.put("kube-proxy's virtual servers are taken over with their connections", checks::adopt);
        all.put("another mode takes over from kube-proxy's virtual servers", checks::otherMode);
        all.put("cleaning up removes what kube-proxy has left", checks::cleanUp);
        return all;
    }

    /** Leaves nothing for the next check. */
    private static void clear() throws ApplyFailure {
        VmProxy.clear();
        assertThat(left()).isEmpty();
    }

    /** What is there of a proxy in mode ipvs, kube-proxy or ours. */
    private static List<String> left() {
        List<String> left = new ArrayList<>(VirtualServerList.read().keySet());
        if (Files.exists(Path.of("/sys/class/net", Balancer.LINK))) {
            left.add(Balancer.LINK);
        }
        left.addAll(kubeProxys());
        return left;
    }

    /** Sets and rules of a kube-proxy. One chain that mode iptables has is the kubelet's, too, and stays. */
    private static List<String> kubeProxys() {
        List<String> left = new ArrayList<>(VmNetwork.output("ipset", "list", "-n").lines().toList());
        for (String command : List.of("iptables-save", "ip6tables-save")) {
            left.addAll(VmNetwork.output(command).lines().toList());
        }
        left.removeIf(line -> !line.contains("KUBE-") || line.contains("KUBE-FIREWALL"));
        return left;
    }

    private static Connection opened() throws Exception {
        KubeProxyLeft.make(NODE);
        assertThat(kubeProxys()).isNotEmpty();
        assertThat(udp(CLIENTS, CLIENT, PORT, KubeProxyLeft.WEB, 80)).contains(":8080=100.64.2.1");
        Connection connection = VmNetwork.open(CLIENTS, CLIENT, KubeProxyLeft.WEB, 80, VmNetwork.PATIENCE);
        assertThat(connection.greeting()).contains(":8080=100.64.2.1");
        return connection;
    }

    private void adopt() throws Exception {
        try (Connection connection = opened()) {
            Process proxy = VmProxy.start("--proxy-mode", "ipvs");
            try {
                await().atMost(VmProxy.PATIENCE).until(() -> !proxy.isAlive() || kubeProxys().isEmpty());
                assertThat(connection.echo("still there?")).isEqualTo("still there?");
                assertThat(VirtualServerList.read().keySet()).filteredOn(server -> server.matches("TCP [0-9.]+:.*")).containsExactlyInAnyOrder(
                        "TCP " + KubeProxyLeft.WEB + ":80 rr", "TCP " + KubeProxyLeft.EXTERNAL + ":80 rr",
                        "TCP 192.168.0.2:30080 rr", "TCP 100.64.1.1:30080 rr", "TCP 100.64.2.1:30080 rr");
                assertServed();
                assertThat(tcp(CLIENTS, CLIENT, NODE_IP, KubeProxyLeft.GONE_NODE_PORT)).isEqualTo("reject");
                try (Balancer balancer = NetlinkBalancer.open()) {
                    assertThat(balancer.addresses()).isEqualTo(Set.copyOf(TestCluster.addresses(KubeProxyLeft.WEB, KubeProxyLeft.EXTERNAL)));
                }
                assertThat(connection.echo("and now?")).isEqualTo("and now?");
                assertThat(proxy.isAlive()).isTrue();
            } finally {
                VmProxy.end(proxy);
            }
        }
        clear();
    }

    private static void assertServed() {
        assertThat(tcp(CLIENTS, CLIENT, KubeProxyLeft.WEB, 80)).contains(":8080=100.64.2.1");
        assertThat(udp(CLIENTS, CLIENT, PORT, KubeProxyLeft.WEB, 80)).as("a flow from before").contains(":8080=100.64.2.1");
        assertThat(tcp(CLIENTS, CLIENT, KubeProxyLeft.EXTERNAL, 80)).contains(":8080=100.64.2.1");
        assertThat(tcp(CLIENTS, CLIENT, NODE_IP, KubeProxyLeft.NODE_PORT)).contains(":8080=100.64.2.1");
    }

    /** This kernel has no nftables; what is removed, and when, is the same in all other modes. */
    private void otherMode() throws Exception {
        try (Connection connection = opened()) {
            Process proxy = VmProxy.start("--proxy-mode", "iptables");
            try {
                await().atMost(VmProxy.PATIENCE).until(() -> !proxy.isAlive() || left().stream().noneMatch(TakeOverChecks::isOfIpvs));
                assertServed();
                assertThat(tcp(CLIENTS, CLIENT, NODE_IP, KubeProxyLeft.GONE_NODE_PORT)).isEqualTo("reject");
                assertThat(tellsAtOnce(connection)).isTrue();
                assertThat(proxy.isAlive()).isTrue();
            } finally {
                VmProxy.end(proxy);
            }
        }
        clear();
    }

    /** Whether a line is of no mode but ipvs: some chains have the same names in mode iptables. */
    private static boolean isOfIpvs(String line) {
        return !line.contains("KUBE-") || line.contains("KUBE-IPVS") || line.contains("--match-set")
                || line.matches("KUBE-\\S+") || line.contains("KUBE-NODE-PORT ");
    }

    /** A connection goes on or is ended by the endpoint that it is led to; what it must not do is to hang. */
    private static boolean tellsAtOnce(Connection connection) throws IOException {
        try {
            String answer = connection.echo("still there?");
            return answer == null || answer.equals("still there?");
        } catch (SocketException _) {
            return true;
        }
    }

    private void cleanUp() throws Exception {
        opened().close();
        assertThat(VmProxy.start("--cleanup").waitFor()).as("exit code").isZero();
        assertThat(left()).isEmpty();
    }
}
