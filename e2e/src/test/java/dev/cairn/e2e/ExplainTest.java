package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code cairn explain} with a real API server, beside a real CoreDNS, and with {@code cairn-proxy} on the path. */
@ExtendWith(SharedCluster.class)
class ExplainTest {
    private static final Path PROXY = Path.of(System.getProperty("cairn.root"), "proxy-companion/build/install/cairn-proxy/bin");

    @TempDir
    static Path directory;

    private static Path kubeconfig;
    private static Path withoutRights;

    @BeforeAll
    static void fill(RealCluster cluster) throws IOException {
        KubeApi api = cluster.admin();
        api.create("""
                {apiVersion: v1, kind: Namespace, metadata: {name: explained}}
                ---
                {apiVersion: v1, kind: ServiceAccount, metadata: {name: stranger, namespace: explained}}
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: explained}
                spec: {clusterIP: 10.96.0.150, ports: [{name: http, port: 80}]}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: web-1, namespace: explained, labels: {kubernetes.io/service-name: web}}
                addressType: IPv4
                ports: [{name: http, port: 8080, protocol: TCP}]
                endpoints:
                - {addresses: [10.244.77.1], conditions: {ready: true}}
                - {addresses: [10.244.77.2], conditions: {ready: false}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: client, namespace: explained}
                spec:
                  dnsConfig: {searches: [more.example], options: [{name: ndots, value: "2"}]}
                  containers: [{name: c, image: registry.example/c}]
                status: {phase: Running, podIP: 10.244.77.9, podIPs: [{ip: 10.244.77.9}]}
                """);
        kubeconfig = cluster.adminKubeconfig();
        withoutRights = cluster.kubeconfig("stranger", api.tokenFor("explained", "stranger"));
    }

    private static List<String> explain(int code, String... args) throws Exception {
        List<String> all = new ArrayList<>(List.of("explain"));
        all.addAll(List.of(args));
        List<String> path = List.of("env", "PATH=" + PROXY + ":" + System.getenv("PATH"));
        try (CairnProcess cairn = CairnProcess.startInstalled(path, directory, all.toArray(String[]::new))) {
            assertThat(cairn.awaitExit()).as("exit code, output %s", cairn.output()).isEqualTo(code);
            return cairn.output();
        }
    }

    @Test
    void tellsTheWayFromTheNameToTheEndpoints() throws Exception {
        try (CoreDnsProcess coreDns = new CoreDnsProcess(kubeconfig, directory, "pods insecure\nttl 30")) {
            String server = "127.0.0.1:" + coreDns.port();
            List<String> told = explain(0, "web", "--from", "explained/client", "--kubeconfig", kubeconfig.toString(), "--server", server);
            assertThat(told).containsSubsequence(
                    "web: answered for pod explained/client (10.244.77.9)",
                    "Asked (dnsPolicy ClusterFirst, ndots:2,"
                            + " search explained.svc.cluster.local svc.cluster.local cluster.local more.example)",
                    "  web.explained.svc.cluster.local. 30 IN A 10.96.0.150",
                    "  2 endpoints, 1 ready: failing readiness (publishNotReadyAddresses is not set)",
                    "Server " + server,
                    "  web.explained.svc.cluster.local. A: agrees",
                    "  cairn-proxy trace --from 10.244.77.9 --to 10.96.0.150:80/tcp --kubeconfig " + kubeconfig,
                    "    -> 10.244.77.1:8080");
        }
    }

    @Test
    void aMissingRightIsNamed() throws Exception {
        List<String> told = explain(2, "web.explained", "--kubeconfig", withoutRights.toString());
        // A slow API server is waited for, and that is told.
        assertThat(told.stream().filter(line -> !line.startsWith("cairn: waiting for "))).singleElement().asString()
                .containsPattern("^cairn: list [a-z.0-9]+ at cluster scope is forbidden: add verbs list, watch on resource [a-z]+ of api");
    }
}
