package dev.cairn.cluster.control;

import static dev.cairn.cluster.manifest.TestCluster.pod;
import static dev.cairn.cluster.manifest.TestCluster.ranges;
import static dev.cairn.cluster.manifest.TestCluster.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.cairn.cluster.LabelSelector;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.manifest.TestCluster;
import dev.cairn.facts.Fact;
import dev.cairn.facts.ImportFact;
import dev.cairn.facts.NamespaceFact;
import dev.cairn.facts.PodFact;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControlPlaneTest {
    private static final String APP = "labels: {app: web}";

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        "podIP: 10.1.0.1                                                               | 10.1.0.1",
        "'podIP: 10.1.0.1, phase: Running'                                             | 10.1.0.1",
        "'podIP: 10.1.0.1, phase: Pending'                                             | 10.1.0.1!",
        "'podIP: 10.1.0.1, phase: Running, conditions: [{type: Ready, status: \"True\"}]'  | 10.1.0.1",
        "'podIP: 10.1.0.1, phase: Running, conditions: [{type: Ready, status: \"False\"}]' | 10.1.0.1!",
        "'podIP: 10.1.0.1, phase: Running, conditions: [{type: Initialized, status: \"True\"}]' | 10.1.0.1!",
        "'podIP: 10.1.0.1, phase: Succeeded'                                           | -",
        "'podIP: 10.1.0.1, phase: Failed'                                              | -",
        "phase: Pending                                                                | -",
    })
    void readinessOfPodsIsThatOfTheirEndpoints(String status, String endpoint) {
        TestCluster cluster = TestCluster.of(service("web", "selector: {app: web}, ports: [{port: 80}]") + pod("p", APP, "", status));
        assertThat(cluster.endpoints("web")).isEqualTo(endpoint == null ? List.of() : List.of(endpoint));
    }

    @Test
    void terminatingPodsAreNotReadyAndPublishNotReadyAddressesTakesAll() {
        String pods = pod("a", APP + ", deletionTimestamp: '2026-01-01T00:00:00Z'", "", "podIP: 10.1.0.1")
                + pod("b", APP, "", "podIP: 10.1.0.2, phase: Pending");
        assertThat(TestCluster.of(service("web", "selector: {app: web}") + pods).endpoints("web"))
                .containsExactly("10.1.0.1!", "10.1.0.2!");
        assertThat(TestCluster.of(service("web", "selector: {app: web}, publishNotReadyAddresses: true") + pods).endpoints("web"))
                .containsExactly("10.1.0.1", "10.1.0.2");
    }

    @Test
    void onlyPodsOfTheNamespaceWithAllLabelsAreSelected() {
        TestCluster cluster = TestCluster.of(service("web", "selector: {app: web, tier: front}")
                + pod("a", "labels: {app: web, tier: front, more: x}", "", "podIP: 10.1.0.1")
                + pod("b", "labels: {app: web}", "", "podIP: 10.1.0.2")
                + pod("c", "namespace: other, labels: {app: web, tier: front}", "", "podIP: 10.1.0.3"));
        assertThat(cluster.endpoints("web")).containsExactly("10.1.0.1");
    }

    @Test
    void aNamedTargetPortIsLookedUpInEachPod() {
        TestCluster cluster = TestCluster.of(
                service("web", "selector: {app: web}, ports: [{name: http, port: 80, targetPort: web},"
                        + " {name: dns, port: 53, protocol: UDP, targetPort: web}]")
                + pod("a", APP, "containers: [{name: c, ports: [{name: web, containerPort: 8080}]}]", "podIP: 10.1.0.1")
                + pod("b", APP, "containers: [{name: c, ports: [{name: web, containerPort: 9090}]}]", "podIP: 10.1.0.2")
                + pod("c", APP, "containers: [{name: c, ports: [{name: web, containerPort: 8080}]}]", "podIP: 10.1.0.3"));
        assertThat(cluster.slices("web"))
                .extracting(SliceFact::name, slice -> slice.ports().getFirst().port(), slice -> slice.endpoints().size())
                .containsExactly(tuple("web-cairn-ipv4", 8080, 2), tuple("web-cairn-ipv4-2", 9090, 1));
        assertThat(cluster.slices("web").getFirst().ports()).extracting(PortFact::name).containsExactly("http");
    }

    @Test
    void hostnamesCountOnlyWithTheServicesNameAsSubdomain() {
        TestCluster cluster = TestCluster.of(service("db", "clusterIP: None, selector: {app: web}")
                + pod("db-0", APP, "hostname: db-0, subdomain: db, nodeName: n1", "podIP: 10.1.0.1")
                + pod("db-1", APP, "hostname: db-1, subdomain: other", "podIP: 10.1.0.2")
                + pod("db-2", APP, "hostname: db-2", "podIP: 10.1.0.3")
                + "---\nkind: Node\nmetadata: {name: n1, labels: {topology.kubernetes.io/zone: north}}\n");
        assertThat(cluster.endpoints("db")).containsExactly("10.1.0.1/db-0", "10.1.0.2", "10.1.0.3");
        assertThat(cluster.slices("db").getFirst().endpoints().getFirst())
                .returns("db-0", e -> e.podName()).returns("n1", e -> e.nodeName()).returns("north", e -> e.zone());
    }

    @Test
    void dualStackPodsGiveASliceForEachFamilyOfTheService() {
        String pods = pod("a", APP, "", "podIP: 10.1.0.1, podIPs: [{ip: 10.1.0.1}, {ip: 'fd00::1'}]");
        ControlOptions both = ranges("10.96.0.0/16", "fd00:10:96::/112");
        assertThat(TestCluster.of(both, service("web", "selector: {app: web}") + pods).endpoints("web")).containsExactly("10.1.0.1");
        TestCluster dual = TestCluster.of(both, service("web", "selector: {app: web}, ipFamilyPolicy: PreferDualStack") + pods);
        assertThat(dual.slices("web")).extracting(SliceFact::name).containsExactly("web-cairn-ipv4", "web-cairn-ipv6");
        assertThat(dual.endpoints("web")).containsExactly("10.1.0.1", "fd00::1");
        assertThat(TestCluster.of(service("web", "clusterIP: None, selector: {app: web}") + pods).endpoints("web"))
                .containsExactly("10.1.0.1", "fd00::1");
    }

    @Test
    void aSliceHoldsAHundredEndpoints() {
        StringBuilder yaml = new StringBuilder(service("web", "selector: {app: web}"));
        for (int i = 1; i <= 250; i++) {
            yaml.append(pod("p" + i, APP, "", "podIP: 10.1.0." + i));
        }
        assertThat(TestCluster.of(yaml.toString()).slices("web")).extracting(slice -> slice.endpoints().size())
                .containsExactly(100, 100, 50);
    }

    @Test
    void slicesAndEndpointsThatAreGivenTakeThePlaceOfSelectedOnes() {
        String web = service("web", "selector: {app: web}") + pod("p", APP, "", "podIP: 10.1.0.1");
        String endpoints = """
                ---
                {apiVersion: v1, kind: Endpoints, metadata: {name: web}, subsets: [
                  {addresses: [{ip: 10.2.0.1, hostname: one, targetRef: {kind: Pod, name: p}}, {ip: "fd00::2"}],
                   notReadyAddresses: [{ip: 10.2.0.2}], ports: [{name: http, port: 8080}]}]}
                """;
        String slice = """
                ---
                {apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: web-x, labels: {kubernetes.io/service-name: web}},
                 addressType: IPv4, ports: [{name: http, port: 80}], endpoints: [{addresses: [10.3.0.1, "fd00::3"], zone: a}]}
                """;
        assertThat(TestCluster.of(web + endpoints).endpoints("web")).containsExactly("10.2.0.1/one", "10.2.0.2!", "fd00::2");
        assertThat(TestCluster.of(web + slice).endpoints("web")).containsExactly("10.3.0.1", "fd00::3");
        assertThat(TestCluster.of(web + endpoints + slice).endpoints("web")).containsExactly("10.3.0.1", "fd00::3");
        assertThat(TestCluster.of(endpoints).facts(SliceFact.class)).isEmpty();
        assertThat(TestCluster.of(service("web", "") + endpoints).slices("web").getFirst().ports())
                .extracting(PortFact::port).containsExactly(8080);
    }

    @Test
    void kindsOfServicesAreToldApart() {
        TestCluster cluster = TestCluster.of(service("vip", "clusterIP: 10.0.0.1, externalIPs: [1.2.3.4, '1:2::5']")
                + service("headless", "clusterIP: None, clusterIPs: [None]")
                + service("ext", "type: ExternalName, externalName: svc1.testns.svc.cluster.local.")
                + service("digits", "type: ExternalName, externalName: 192.0.2.7"));
        assertThat(cluster.facts(ServiceFact.class)).extracting(ServiceFact::name, ServiceFact::kind, fact -> fact.clusterIps().size())
                .containsExactly(tuple("vip", ServiceFact.Kind.CLUSTER_IP, 1), tuple("headless", ServiceFact.Kind.HEADLESS, 0),
                        tuple("ext", ServiceFact.Kind.EXTERNAL_NAME, 0), tuple("digits", ServiceFact.Kind.EXTERNAL_NAME, 0));
        assertThat(cluster.service("vip").externalIps()).hasToString("[1.2.3.4, 1:2::5]");
        assertThat(cluster.service("ext").externalName()).isEqualTo("svc1.testns.svc.cluster.local");
        assertThat(cluster.problems()).isEmpty();
    }

    @Test
    void withoutANamespaceObjectAllNamespacesThatAreNamedExist() {
        TestCluster cluster = TestCluster.of("""
                {kind: Service, metadata: {name: a, namespace: shop}}
                ---
                {kind: Pod, metadata: {name: p, namespace: run}}
                """);
        assertThat(cluster.facts(NamespaceFact.class)).extracting(NamespaceFact::name).containsExactly("default", "run", "shop");
    }

    @Test
    void withNamespaceObjectsOnlyThoseExist() {
        TestCluster cluster = TestCluster.of("""
                {kind: Namespace, metadata: {name: shop}}
                ---
                {kind: Service, metadata: {name: a, namespace: other}}
                """);
        assertThat(cluster.facts(NamespaceFact.class)).extracting(NamespaceFact::name).containsExactly("shop");
        assertThat(cluster.problems()).singleElement().asString().startsWith("test.yaml:3: namespaces \"other\" not found");
    }

    @Test
    void importsAndTheirSlicesAreThoseOfOtherClusters() {
        TestCluster cluster = TestCluster.of("""
                {apiVersion: multicluster.x-k8s.io/v1alpha1, kind: ServiceImport, metadata: {name: svc1, namespace: testns},
                 spec: {type: ClusterSetIP, ips: [10.0.0.1, "10::3"], ports: [{name: http, protocol: TCP, port: 80}]}}
                ---
                {apiVersion: multicluster.x-k8s.io/v1alpha1, kind: ServiceImport, metadata: {name: hdls1, namespace: testns},
                 spec: {type: Headless, ips: []}}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata:
                  name: mc-hdls1
                  namespace: testns
                  labels: {multicluster.kubernetes.io/service-name: hdls1, multicluster.kubernetes.io/source-cluster: cluster1}
                endpoints: [{addresses: [172.0.0.2]}]
                """);
        assertThat(cluster.facts(ImportFact.class)).extracting(ImportFact::name, ImportFact::headless, fact -> fact.ips().toString())
                .containsExactly(tuple("svc1", false, "[10.0.0.1, 10::3]"), tuple("hdls1", true, "[]"));
        assertThat(cluster.slices("hdls1")).singleElement().returns("cluster1", SliceFact::clusterId).returns(true, SliceFact::isImported);
    }

    @Test
    void theScopeLeavesOutWhatIsNotWanted() {
        String yaml = "{kind: Namespace, metadata: {name: default, labels: {team: a}}}\n---\n{kind: Namespace, metadata: {name: other}}\n"
                + "---\n{kind: Service, metadata: {name: in, labels: {dns: 'yes'}}, spec: {selector: {app: web}}}\n"
                + "---\n{kind: Service, metadata: {name: out}, spec: {selector: {app: web}}}\n"
                + pod("p", "labels: {app: web, dns: 'yes'}", "", "podIP: 10.1.0.1") + pod("q", APP, "", "podIP: 10.1.0.2")
                + "---\n{kind: ServiceImport, metadata: {name: i}}\n";
        WatchScope labelled = new WatchScope(LabelSelector.parse("team=a"), LabelSelector.parse("dns=yes"), true, true, false);
        TestCluster cluster = TestCluster.of(TestCluster.PLAIN, labelled, yaml, Allocations.NONE);
        assertThat(cluster.facts(NamespaceFact.class)).extracting(NamespaceFact::name).containsExactly("default");
        assertThat(cluster.names(ServiceFact.class)).containsExactly("default/in");
        assertThat(cluster.endpoints("in")).containsExactly("10.1.0.1", "10.1.0.2");
        assertThat(cluster.slices("out")).isEmpty();
        assertThat(cluster.names(PodFact.class)).containsExactly("default/p");
        WatchScope bare = new WatchScope(LabelSelector.ALL, LabelSelector.ALL, false, false, false);
        assertThat(TestCluster.of(TestCluster.PLAIN, bare, yaml, Allocations.NONE).outcome().facts())
                .extracting(Fact::resource).containsOnly(Resource.NAMESPACES, Resource.SERVICES);
    }

    @Test
    void whoWantsNamesAndTrafficIsToldWhoseTrafficIsAnothers() {
        String yaml = service("ours", "clusterIP: 10.0.0.1")
                + "---\n{kind: Service, metadata: {name: theirs, labels: {service.kubernetes.io/service-proxy-name: x}}, spec: {clusterIP: 10.0.0.2}}\n";
        TestCluster cluster = TestCluster.of(TestCluster.PLAIN, TestCluster.EVERYTHING.withTraffic("n1"), yaml, Allocations.NONE);
        assertThat(cluster.facts(ServiceFact.class)).extracting(ServiceFact::name, fact -> fact.traffic() != null)
                .containsExactly(tuple("ours", true), tuple("theirs", false));
    }

    @Test
    void ofTwoObjectsWithOneNameTheLaterCounts() {
        TestCluster cluster = TestCluster.of(service("a", "clusterIP: 10.0.0.1") + service("a", "clusterIP: 10.0.0.2"));
        assertThat(cluster.ips("a")).containsExactly("10.0.0.2");
        assertThat(cluster.problems()).containsExactly(
                "test.yaml:2: Service \"default/a\" is there again at test.yaml:7, which counts instead");
    }
}
