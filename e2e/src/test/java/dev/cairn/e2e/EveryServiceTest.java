package dev.cairn.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;

/** Creates, changes and deletes every kind of Service, with the rights that {@code deploy/} gives and no more. */
@ExtendWith(SharedCluster.class)
class EveryServiceTest {
    @TempDir
    static Path directory;

    private static KubeApi api;
    private static PodOfCairn cairn;

    @BeforeAll
    static void start(RealCluster cluster) throws IOException {
        api = cluster.admin();
        cairn = new PodOfCairn(cluster, directory, api.tokenFor("kube-system", SharedCluster.ACCOUNT), "pods verified\nttl 30");
        cairn.awaitReady();
    }

    @AfterAll
    static void stop() {
        cairn.close();
    }

    private static void namespace(String name) throws IOException {
        api.create("{apiVersion: v1, kind: Namespace, metadata: {name: " + name + "}}");
    }

    private static String service(String namespace, String name) {
        return "/api/v1/namespaces/" + namespace + "/services/" + name;
    }

    private static String slice(String namespace, String name) {
        return "/apis/discovery.k8s.io/v1/namespaces/" + namespace + "/endpointslices/" + name;
    }

    @Test
    void aClusterIpWithNamedPortsComesChangesAndGoes() throws Exception {
        namespace("plain");
        cairn.becomes("web.plain.svc.cluster.local", "A", "NXDOMAIN");
        api.create("""
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: plain}
                spec:
                  clusterIP: 10.96.0.142
                  ports: [{name: http, port: 80}, {name: dns, port: 53, protocol: UDP}, {name: sig, port: 9, protocol: SCTP}]
                """);
        cairn.becomes("web.plain.svc.cluster.local", "A", "10.96.0.142");
        cairn.becomes("web.plain.svc.cluster.local", "AAAA", "NOERROR");
        cairn.becomes("_http._tcp.web.plain.svc.cluster.local", "SRV", "0 100 80 web.plain.svc.cluster.local.");
        cairn.becomes("_dns._udp.web.plain.svc.cluster.local", "SRV", "0 100 53 web.plain.svc.cluster.local.");
        cairn.becomes("_sig._sctp.web.plain.svc.cluster.local", "SRV", "0 100 9 web.plain.svc.cluster.local.");
        cairn.becomes("_tcp.web.plain.svc.cluster.local", "SRV", "NOERROR");
        cairn.becomes("142.0.96.10.in-addr.arpa", "PTR", "web.plain.svc.cluster.local.");

        api.merge(service("plain", "web"), Map.of("spec", Map.of("ports", List.of(Map.of("name", "https", "port", 443)))));
        cairn.becomes("_https._tcp.web.plain.svc.cluster.local", "SRV", "0 100 443 web.plain.svc.cluster.local.");
        cairn.becomes("_http._tcp.web.plain.svc.cluster.local", "SRV", "NXDOMAIN");

        api.delete(service("plain", "web"));
        cairn.becomes("web.plain.svc.cluster.local", "A", "NXDOMAIN");
        cairn.becomes("142.0.96.10.in-addr.arpa", "PTR", "NXDOMAIN");
    }

    @Test
    void aClusterIpThatTheApiServerAllocatesIsTold() throws Exception {
        namespace("allocated");
        api.create("{apiVersion: v1, kind: Service, metadata: {name: any, namespace: allocated}, spec: {ports: [{port: 80}]}}");
        String object = api.get(service("allocated", "any"));
        String address = object.replaceAll("(?s).*\"clusterIP\": ?\"([0-9.]+)\".*", "$1");
        cairn.becomes("any.allocated.svc.cluster.local", "A", address);
    }

    @Test
    void aHeadlessServiceHasTheAddressesOfItsReadyEndpoints() throws Exception {
        namespace("headless");
        api.create("""
                apiVersion: v1
                kind: Service
                metadata: {name: db, namespace: headless}
                spec: {clusterIP: None, ports: [{name: pg, port: 5432}]}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: db-1, namespace: headless, labels: {kubernetes.io/service-name: db}}
                addressType: IPv4
                ports: [{name: pg, port: 5432, protocol: TCP}]
                endpoints:
                - {addresses: [10.244.3.1], hostname: db-0, conditions: {ready: true}}
                - {addresses: [10.244.3.2], conditions: {ready: true}}
                - {addresses: [10.244.3.3], conditions: {ready: false}}
                """);
        cairn.becomes("db.headless.svc.cluster.local", "A", "10.244.3.1", "10.244.3.2");
        cairn.becomes("db-0.db.headless.svc.cluster.local", "A", "10.244.3.1");
        cairn.becomes("10-244-3-2.db.headless.svc.cluster.local", "A", "10.244.3.2");
        cairn.becomes("_pg._tcp.db.headless.svc.cluster.local", "SRV",
                "0 50 5432 db-0.db.headless.svc.cluster.local.", "0 50 5432 10-244-3-2.db.headless.svc.cluster.local.");
        cairn.becomes("1.3.244.10.in-addr.arpa", "PTR", "db-0.db.headless.svc.cluster.local.");

        api.merge(slice("headless", "db-1"), Map.of("endpoints", List.of(
                Map.of("addresses", List.of("10.244.3.3"), "conditions", Map.of("ready", true)))));
        cairn.becomes("db.headless.svc.cluster.local", "A", "10.244.3.3");
        cairn.becomes("db-0.db.headless.svc.cluster.local", "A", "NXDOMAIN");
        cairn.becomes("1.3.244.10.in-addr.arpa", "PTR", "NXDOMAIN");

        api.create("""
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: db-2, namespace: headless, labels: {kubernetes.io/service-name: db}}
                addressType: IPv6
                ports: [{name: pg, port: 5432, protocol: TCP}]
                endpoints: [{addresses: ["fd00:244::1"], conditions: {ready: true}}]
                """);
        cairn.becomes("db.headless.svc.cluster.local", "AAAA", "fd00:244:0:0:0:0:0:1");
        api.delete(slice("headless", "db-2"));
        api.delete(slice("headless", "db-1"));
        cairn.becomes("db.headless.svc.cluster.local", "A", "NXDOMAIN");
        api.delete(service("headless", "db"));
    }

    @Test
    void unreadyEndpointsAreToldIfTheServiceWantsIt() throws Exception {
        namespace("unready");
        api.create("""
                apiVersion: v1
                kind: Service
                metadata: {name: raft, namespace: unready}
                spec: {clusterIP: None, publishNotReadyAddresses: true, ports: [{name: peer, port: 7000}]}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: raft-1, namespace: unready, labels: {kubernetes.io/service-name: raft}}
                addressType: IPv4
                ports: [{name: peer, port: 7000, protocol: TCP}]
                endpoints: [{addresses: [10.244.4.1], hostname: raft-0, conditions: {ready: true, serving: false, terminating: false}}]
                """);
        // The endpoint controller says "ready" for such services whatever the pod says.
        cairn.becomes("raft-0.raft.unready.svc.cluster.local", "A", "10.244.4.1");
    }

    @Test
    void anExternalNameIsAnAliasAndMayBecomeAClusterIp() throws Exception {
        namespace("outside");
        api.create("""
                apiVersion: v1
                kind: Service
                metadata: {name: mail, namespace: outside}
                spec: {type: ExternalName, externalName: mail.example.org}
                """);
        cairn.becomes("mail.outside.svc.cluster.local", "CNAME", "mail.example.org.");
        api.merge(service("outside", "mail"), Map.of("spec", Map.of("externalName", "smtp.example.org")));
        cairn.becomes("mail.outside.svc.cluster.local", "CNAME", "smtp.example.org.");
        api.replace("""
                apiVersion: v1
                kind: Service
                metadata: {name: mail, namespace: outside}
                spec: {type: ClusterIP, clusterIP: 10.96.0.143, ports: [{name: smtp, port: 25}]}
                """);
        cairn.becomes("mail.outside.svc.cluster.local", "A", "10.96.0.143");
        cairn.becomes("mail.outside.svc.cluster.local", "CNAME", "NOERROR");
        api.delete(service("outside", "mail"));
        api.create("""
                apiVersion: v1
                kind: Service
                metadata: {name: mail, namespace: outside}
                spec: {type: ExternalName, externalName: web.outside.svc.cluster.local}
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: outside}
                spec: {clusterIP: 10.96.0.144, ports: [{port: 80}]}
                """);
        cairn.becomes("mail.outside.svc.cluster.local", "A", "10.96.0.144", "web.outside.svc.cluster.local.");
    }

    @Test
    void nodePortsAndLoadBalancersAnswerWithTheirClusterIp() throws Exception {
        namespace("ports");
        api.create("""
                apiVersion: v1
                kind: Service
                metadata: {name: node, namespace: ports}
                spec: {type: NodePort, clusterIP: 10.96.0.145, ports: [{name: http, port: 80, nodePort: 30080}]}
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: lb, namespace: ports}
                spec: {type: LoadBalancer, clusterIP: 10.96.0.146, ports: [{name: http, port: 80}], externalIPs: [192.0.2.9]}
                status: {loadBalancer: {ingress: [{ip: 192.0.2.10}]}}
                """);
        cairn.becomes("node.ports.svc.cluster.local", "A", "10.96.0.145");
        cairn.becomes("_http._tcp.node.ports.svc.cluster.local", "SRV", "0 100 80 node.ports.svc.cluster.local.");
        cairn.becomes("lb.ports.svc.cluster.local", "A", "10.96.0.146");
        api.delete(service("ports", "lb"));
        cairn.becomes("lb.ports.svc.cluster.local", "A", "NXDOMAIN");
    }

    @Test
    void aDualStackServiceHasBothFamiliesAndMayLoseOne() throws Exception {
        namespace("dual");
        api.create("""
                apiVersion: v1
                kind: Service
                metadata: {name: both, namespace: dual}
                spec:
                  ipFamilyPolicy: RequireDualStack
                  clusterIP: 10.96.0.147
                  clusterIPs: [10.96.0.147, "fd00:96::740"]
                  ports: [{name: http, port: 80}]
                """);
        cairn.becomes("both.dual.svc.cluster.local", "A", "10.96.0.147");
        cairn.becomes("both.dual.svc.cluster.local", "AAAA", "fd00:96:0:0:0:0:0:740");
        api.merge(service("dual", "both"), Map.of("spec", Map.of("ipFamilyPolicy", "SingleStack",
                "ipFamilies", List.of("IPv4"), "clusterIPs", List.of("10.96.0.147"))));
        cairn.becomes("both.dual.svc.cluster.local", "AAAA", "NOERROR");
        cairn.becomes("both.dual.svc.cluster.local", "A", "10.96.0.147");
    }

    @Test
    void aPodHasANameWhileItLives() throws Exception {
        namespace("pods");
        cairn.becomes("10-244-5-1.pods.pod.cluster.local", "A", "NXDOMAIN");
        api.create("""
                apiVersion: v1
                kind: Pod
                metadata: {name: one, namespace: pods}
                spec: {nodeName: node-1, containers: [{name: main, image: none}]}
                status: {phase: Running, podIP: 10.244.5.1, podIPs: [{ip: 10.244.5.1}, {ip: "fd00:244::5"}]}
                """);
        cairn.becomes("10-244-5-1.pods.pod.cluster.local", "A", "10.244.5.1");
        cairn.becomes("fd00-244--5.pods.pod.cluster.local", "AAAA", "fd00:244:0:0:0:0:0:5");
        api.delete("/api/v1/namespaces/pods/pods/one");
        cairn.becomes("10-244-5-1.pods.pod.cluster.local", "A", "NXDOMAIN");
    }

    @Test
    void aNamespaceGoesWithEverythingInIt() throws Exception {
        namespace("brief");
        api.create("{apiVersion: v1, kind: Service, metadata: {name: s, namespace: brief}, spec: {clusterIP: 10.96.0.148, ports: [{port: 1}]}}");
        cairn.becomes("s.brief.svc.cluster.local", "A", "10.96.0.148");
        cairn.becomes("brief.svc.cluster.local", "A", "NOERROR");
        api.delete("/api/v1/namespaces/brief");
        cairn.becomes("s.brief.svc.cluster.local", "A", "NXDOMAIN");
        cairn.becomes("brief.svc.cluster.local", "A", "NXDOMAIN");
    }

    @Test
    void theSerialMovesWithTheZone() throws Exception {
        namespace("serial");
        long before = serial();
        api.create("{apiVersion: v1, kind: Service, metadata: {name: s, namespace: serial}, spec: {clusterIP: 10.96.0.149, ports: [{port: 1}]}}");
        cairn.becomes("s.serial.svc.cluster.local", "A", "10.96.0.149");
        assertThat(serial()).isGreaterThan(before);
    }

    private static long serial() throws IOException {
        Message reply = cairn.ask("cluster.local", "SOA");
        return ((org.xbill.DNS.SOARecord) reply.getSection(Section.ANSWER).getFirst()).getSerial();
    }

    @Test
    void theAccountMayDoNothingElse(RealCluster cluster) throws Exception {
        KubeApi asCairn = new KubeApi(cluster.url(), api.tokenFor("kube-system", SharedCluster.ACCOUNT), cluster.authority());
        assertThat(asCairn.get("/api/v1/services?limit=1")).contains("ServiceList");
        for (String denied : List.of("/api/v1/secrets", "/api/v1/configmaps", "/api/v1/nodes", service("default", "kubernetes"))) {
            assertThatThrownBy(() -> asCairn.get(denied)).hasMessageContaining("403");
        }
    }
}
