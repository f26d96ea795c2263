package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.proxy.packets.Testbed;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same packets on two nodes of the same cluster, of which one has a real kube-proxy. And one node that changes from it to ours. */
@ExtendWith(SharedCluster.class)
class BesideKubeProxyTest {
    private static final Pattern FIRST_SYNC = Pattern.compile("kubeproxy_sync_proxy_rules_duration_seconds_count [1-9]");

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** What is not answered for as long was dropped: the kernel sends the first packet again after 1 s and after 3 s. */
    private static final double SILENCE = 4;
    private static final double ANSWER = 60;
    private static final double BRIEFLY = 1;

    private static final String WEB = "10.96.0.135";
    private static final String LOCAL = "10.96.0.136";
    private static final String ELSEWHERE = "10.96.0.137";
    private static final String EMPTY = "10.96.0.138";
    private static final String GUARDED = "10.96.0.139";
    private static final String STICKY = "10.96.0.140";
    private static final String TALK = "10.96.0.141";
    private static final List<String> CLUSTER_IPS = List.of(WEB, LOCAL, ELSEWHERE, EMPTY, GUARDED, STICKY);
    /** How many of the tries end at an endpoint: but for what has none here or anywhere, is filtered, or is no port of a service. */
    private static final int REACHED = 30;

    private static final String NAMESPACE = "/api/v1/namespaces/proxied";

    private static final String CLUSTER = """
            {apiVersion: v1, kind: Namespace, metadata: {name: proxied}}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: web, namespace: proxied}
            spec:
              type: NodePort
              clusterIP: %s
              externalIPs: [192.0.2.30]
              ports: [{name: http, port: 80, nodePort: 30030}, {name: dns, port: 53, nodePort: 30031, protocol: UDP}]
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: local, namespace: proxied}
            spec:
              type: NodePort
              clusterIP: %s
              externalTrafficPolicy: Local
              ports: [{name: http, port: 80, nodePort: 30032}]
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: elsewhere, namespace: proxied}
            spec:
              type: NodePort
              clusterIP: %s
              externalTrafficPolicy: Local
              internalTrafficPolicy: Local
              ports: [{name: http, port: 80, nodePort: 30033}]
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: empty, namespace: proxied}
            spec: {type: NodePort, clusterIP: %s, ports: [{name: http, port: 80, nodePort: 30034}]}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: guarded, namespace: proxied}
            spec:
              type: LoadBalancer
              clusterIP: %s
              loadBalancerSourceRanges: [198.51.100.0/24]
              ports: [{name: http, port: 80, nodePort: 30035}]
            status: {loadBalancer: {ingress: [{ip: 192.0.2.35}]}}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: sticky, namespace: proxied}
            spec: {clusterIP: %s, sessionAffinity: ClientIP, ports: [{name: http, port: 80}]}
            """.formatted(CLUSTER_IPS.toArray());

    /** What is tried: where from, where to, and how often. */
    private record Try(String machine, String from, String to, int port, String protocol, int count) {
        /** Who answers and whom he sees: only whether it is the client or not, since the nodes have more than one address. */
        String on(ProxyNode node) {
            // No UDP is expected to be dropped, and nobody would send it again.
            String first = node.connect(machine, from, to, port, protocol, 1, protocol.equals("udp") ? ANSWER : SILENCE);
            if (!first.startsWith("dnat ")) {
                return first;
            }
            TreeSet<String> seen = new TreeSet<>();
            for (String pair : node.connect(machine, from, to, port, protocol, count, ANSWER).substring("dnat ".length()).split(",", -1)) {
                String[] ends = pair.split("=", -1);
                seen.add(ends[0] + (ends[1].equals(from) ? " sees the client" : " sees the node"));
            }
            return seen.toString();
        }
    }

    @TempDir
    Path directory;

    private KubeApi api;

    @BeforeEach
    void fill(RealCluster cluster) throws IOException {
        api = cluster.admin();
        api.create(ProxyNode.OBJECT);
        api.create(CLUSTER);
        for (String service : List.of("web", "local", "elsewhere", "guarded", "sticky")) {
            api.create(slice(service));
        }
    }

    @AfterEach
    void empty() throws IOException {
        api.delete(NAMESPACE);
        api.delete("/api/v1/nodes/" + ProxyNode.NAME);
    }

    private static String slice(String service) {
        boolean here = !service.equals("elsewhere");
        boolean both = !service.equals("elsewhere") && !service.equals("sticky");
        String other = service.equals("local") ? "node-2" : ProxyNode.NAME;
        return """
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: %1$s-1, namespace: proxied, labels: {kubernetes.io/service-name: %1$s}}
                addressType: IPv4
                ports: [{name: http, port: 8080, protocol: TCP}, {name: dns, port: 8080, protocol: UDP}]
                endpoints:
                - {addresses: [10.180.0.1], nodeName: %2$s, conditions: {ready: true}}
                """.formatted(service, here ? ProxyNode.NAME : "node-2")
                + (both ? "- {addresses: [10.180.0.2], nodeName: " + other + ", conditions: {ready: true}}\n" : "");
    }

    private static Try from(String machine, String from, String to, int port, String protocol) {
        return new Try(machine, from, to, port, protocol, 32);
    }

    private static List<Try> tries() {
        List<Try> tries = new ArrayList<>();
        for (String service : CLUSTER_IPS) {
            tries.add(from(Testbed.CLIENTS, ProxyNode.CLIENT, service, 80, "tcp"));
            tries.add(from(Testbed.CLIENTS, ProxyNode.POD, service, 80, "tcp"));
            tries.add(from(Testbed.NODE, ProxyNode.ADDRESS, service, 80, "tcp"));
        }
        for (int port = 30030; port < 30036; port++) {
            String protocol = port == 30031 ? "udp" : "tcp";
            tries.add(from(Testbed.CLIENTS, ProxyNode.CLIENT, ProxyNode.ADDRESS, port, protocol));
            tries.add(from(Testbed.CLIENTS, ProxyNode.POD, ProxyNode.ADDRESS, port, protocol));
            tries.add(from(Testbed.NODE, ProxyNode.ADDRESS, ProxyNode.ADDRESS, port, protocol));
        }
        tries.add(from(Testbed.CLIENTS, ProxyNode.CLIENT, WEB, 53, "udp"));
        tries.add(from(Testbed.CLIENTS, ProxyNode.CLIENT, WEB, 81, "tcp"));
        tries.add(from(Testbed.CLIENTS, ProxyNode.CLIENT, "10.96.99.99", 80, "tcp"));
        tries.add(from(Testbed.CLIENTS, ProxyNode.CLIENT, "192.0.2.30", 80, "tcp"));
        tries.add(from(Testbed.CLIENTS, ProxyNode.POD, "192.0.2.30", 80, "tcp"));
        tries.add(from(Testbed.CLIENTS, ProxyNode.CLIENT, "192.0.2.35", 80, "tcp"));
        tries.add(from(Testbed.ENDPOINTS, "10.180.0.1", STICKY, 80, "tcp"));
        return tries;
    }

    private static void awaitServing(ProxyNode node) {
        await("the proxy").atMost(PATIENCE).until(() -> {
            node.check();
            return node.connect(Testbed.CLIENTS, ProxyNode.CLIENT, STICKY, 80, "tcp", 1, BRIEFLY).startsWith("dnat ");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nftables", "iptables"})
    void packetsFareTheSame(String mode, RealCluster cluster) throws IOException {
        try (ProxyNode theirs = new ProxyNode(cluster, directory); ProxyNode ours = new ProxyNode(cluster, directory)) {
            theirs.startKubeProxy(mode);
            ours.startCairn(mode);
            awaitServing(theirs);
            awaitServing(ours);
            List<Try> tries = tries();
            List<String> seen = tries.stream().map(one -> one.on(theirs)).toList();
            assertThat(tries).zipSatisfy(seen, (one, theirOutcome) -> assertThat(one.on(ours)).as(one.toString()).isEqualTo(theirOutcome));
            assertThat(seen.stream().filter(outcome -> outcome.startsWith("["))).as(seen.toString()).hasSize(REACHED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nftables", "iptables"})
    void aNodeChangesFromKubeProxyWhileAConnectionStaysOpen(String mode, RealCluster cluster) throws IOException {
        try (ProxyNode node = new ProxyNode(cluster, directory)) {
            api.create("""
                    apiVersion: v1
                    kind: Service
                    metadata: {name: talk, namespace: proxied}
                    spec: {clusterIP: %s, ports: [{port: 7}]}
                    ---
                    apiVersion: discovery.k8s.io/v1
                    kind: EndpointSlice
                    metadata: {name: talk-1, namespace: proxied, labels: {kubernetes.io/service-name: talk}}
                    addressType: IPv4
                    ports: [{port: 7, protocol: TCP}]
                    endpoints: [{addresses: [10.180.0.1], conditions: {ready: true}}]
                    """.formatted(TALK));
            assertThat(node.testbed().ask(Testbed.ENDPOINTS, "echo 10.180.0.1 7")).isEqualTo("ok");
            node.startKubeProxy(mode);
            awaitServing(node);
            await().atMost(PATIENCE).until(() -> node.testbed().ask(Testbed.CLIENTS, "open " + TALK + " 7").equals("ok"));
            assertThat(node.testbed().ask(Testbed.CLIENTS, "say before")).isEqualTo("before");
            node.kill();
            node.startCairn("nftables");
            await("rules of kube-proxy are gone").atMost(PATIENCE).until(() -> isOursAlone(node));
            assertThat(node.testbed().ask(Testbed.CLIENTS, "say after")).isEqualTo("after");
            awaitServing(node);
        }
    }

    @Test
    void whatKubeProxyWroteWithIptablesIsAdoptedAsItIs(RealCluster cluster) throws IOException {
        try (ProxyNode node = new ProxyNode(cluster, directory)) {
            node.startKubeProxy("iptables");
            awaitServing(node);
            node.kill();
            List<String> before = rules(node);
            assertThat(before).anyMatch(rule -> rule.contains("KUBE-SVC-"));
            node.startCairn("iptables");
            await("the first sync").atMost(PATIENCE).ignoreExceptions().until(() -> FIRST_SYNC.matcher(node.run("python3", "-c",
                    "from urllib.request import urlopen; print(urlopen('http://127.0.0.1:10249/metrics').read().decode())")).find());
            assertThat(rules(node)).containsExactlyInAnyOrderElementsOf(before);
            awaitServing(node);
        }
    }

    /** The rules of our services. */
    private static List<String> rules(ProxyNode node) {
        return node.run("iptables-save").lines().filter(line -> line.startsWith("-A ") && line.contains("proxied/")).toList();
    }

    private static boolean isOursAlone(ProxyNode node) {
        String rules = node.run("nft", "list", "ruleset");
        return rules.contains("table ip cairn-proxy") && !rules.contains("table ip kube-proxy") && !rules.contains("KUBE-SERVICES")
                && !rules.contains("KUBE-SVC-");
    }

    @Test
    void aRepairIsAnEventOfTheNode(RealCluster cluster) throws IOException {
        try (ProxyNode node = new ProxyNode(cluster, directory)) {
            node.startCairn("nftables");
            awaitServing(node);
            node.run("nft", "flush", "ruleset");
            awaitServing(node);
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(api.get("/apis/events.k8s.io/v1/namespaces/default/events"))
                    .as(node.output()).containsPattern("\"reason\": ?\"RulesChanged\""));
        }
    }

    @Test
    void anEndpointThatGoesIsLeft(RealCluster cluster) throws IOException {
        try (ProxyNode node = new ProxyNode(cluster, directory)) {
            node.startCairn("nftables");
            awaitServing(node);
            for (int i = 1; i <= 4; i++) {
                String pod = "10.180.0." + (i % 2 + 1);
                api.merge("/apis/discovery.k8s.io/v1/namespaces/proxied/endpointslices/sticky-1",
                        Map.of("endpoints", List.of(Map.of("addresses", List.of(pod)))));
                await().atMost(PATIENCE).until(() ->
                        node.connect(Testbed.CLIENTS, ProxyNode.CLIENT, STICKY, 80, "tcp", 1, BRIEFLY).contains(pod + ":"));
            }
        }
    }
}
