package dev.cairn.cluster.control;

import static dev.cairn.cluster.manifest.TestCluster.ranges;
import static dev.cairn.cluster.manifest.TestCluster.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.cairn.cluster.manifest.TestCluster;
import dev.cairn.facts.Address;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.ServiceFact;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceAddressesTest {
    private static String services(int from, int to) {
        StringBuilder yaml = new StringBuilder();
        for (int i = from; i < to; i++) {
            yaml.append(service("svc-" + i, "ports: [{port: 80}]"));
        }
        return yaml.toString();
    }

    /** The examples of kubernetes.io, "IP address ranges for Service Virtual IP assignment". */
    @ParameterizedTest
    @CsvSource({
        "10.96.0.0/24, 10.96.0.1, 10.96.0.16, 10.96.0.17, 10.96.0.254",
        "10.96.0.0/20, 10.96.0.1, 10.96.1.0, 10.96.1.1, 10.96.15.254",
        "10.96.0.0/16, 10.96.0.1, 10.96.1.0, 10.96.1.1, 10.96.255.254"
    })
    void theBandForChosenAddressesIsThatOfTheApiServer(String range, String bandFirst, String bandLast, String first, String last) {
        AddressRange parsed = AddressRange.parse(range);
        assertThat(parsed.at(0)).hasToString(bandFirst);
        assertThat(parsed.at(parsed.band() - 1)).hasToString(bandLast);
        assertThat(parsed.at(parsed.band())).hasToString(first);
        assertThat(parsed.at(parsed.size() - 1)).hasToString(last);
    }

    @Test
    void allocatedAddressesAreDistinctInRangeAndAboveTheBandUntilThatIsFull() {
        TestCluster cluster = TestCluster.of(ranges("10.96.0.0/24"), services(0, 238));
        Set<Address> seen = new HashSet<>();
        for (ServiceFact fact : cluster.facts(ServiceFact.class)) {
            assertThat(fact.clusterIps()).hasSize(1);
            assertThat(fact.clusterIps().getFirst().bytes()[3] & 0xff).isBetween(17, 254);
            seen.addAll(fact.clusterIps());
        }
        assertThat(seen).hasSize(238);
        TestCluster full = TestCluster.of(ranges("10.96.0.0/24"), services(0, 255));
        assertThat(full.facts(ServiceFact.class)).hasSize(254);
        assertThat(full.problems()).singleElement().asString().contains("failed to allocate a serviceIP: range is full");
    }

    @Test
    void theSameManifestsGiveTheSameAddressesInAnyOrder() {
        TestCluster one = TestCluster.of(services(0, 200));
        TestCluster other = TestCluster.of(services(100, 200) + services(0, 100));
        for (int i = 0; i < 200; i++) {
            assertThat(one.ips("svc-" + i)).isEqualTo(other.ips("svc-" + i));
        }
    }

    @Test
    void servicesKeepTheirAddressesWhileOthersComeAndGo() {
        TestCluster before = TestCluster.of(ranges("10.96.0.0/24"), services(100, 200));
        TestCluster after = before.then(services(0, 200));
        TestCluster later = after.then(services(150, 200));
        for (int i = 150; i < 200; i++) {
            assertThat(after.ips("svc-" + i)).isEqualTo(before.ips("svc-" + i));
            assertThat(later.ips("svc-" + i)).isEqualTo(before.ips("svc-" + i));
        }
    }

    @Test
    void anAllocatedAddressGivesWayToOneWhoChoosesIt() {
        TestCluster before = TestCluster.of(ranges("10.96.0.0/24"), service("auto", "ports: [{port: 80}]"));
        String had = before.ips("auto").getFirst();
        TestCluster after = before.then(service("auto", "ports: [{port: 80}]") + service("chosen", "clusterIP: " + had));
        assertThat(after.ips("chosen")).containsExactly(had);
        assertThat(after.ips("auto")).hasSize(1).doesNotContain(had);
    }

    @Test
    void withoutARangeAnyChosenAddressIsAcceptedAndASharedOneOnlyTold() {
        TestCluster cluster = TestCluster.of(service("a", "clusterIP: 1.2.3.4") + service("b", "clusterIP: 1.2.3.4")
                + service("c", "clusterIP: '1234:abcd::1'") + service("d", "clusterIPs: [10.0.0.3, '10::3']"));
        assertThat(cluster.ips("a")).isEqualTo(cluster.ips("b")).containsExactly("1.2.3.4");
        assertThat(cluster.ips("c")).containsExactly("1234:abcd::1");
        assertThat(cluster.ips("d")).containsExactly("10.0.0.3", "10::3");
        assertThat(cluster.problems()).containsExactly(
                "test.yaml:7: Service \"b\" has the cluster IP 1.2.3.4, as default/a at test.yaml:2 has");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "clusterIP: 1.2.3.4 | spec.clusterIPs[0]: Invalid value: \"1.2.3.4\": provided IP is not in the valid range."
                + " The range of valid IPs is 10.96.0.0/12",
        "clusterIP: 10.96.0.0 | provided IP is not in the valid range",
        "clusterIP: 10.111.255.255 | provided IP is not in the valid range",
        "clusterIP: 10.96.0.10 | spec.clusterIPs[0]: Invalid value: \"10.96.0.10\": provided IP is already allocated",
        "clusterIP: 10.96.0 | spec.clusterIPs[0]: Invalid value: \"10.96.0\": must be a valid IP address",
        "clusterIP: 'fd00::1' | not configured on this cluster",
        "'ipFamilies: [IPv6]' | spec.ipFamilies[0]: Invalid value: \"IPv6\": not configured on this cluster",
        "ipFamilyPolicy: RequireDualStack | spec.ipFamilyPolicy: Invalid value: \"RequireDualStack\": this cluster is not configured for",
        "'clusterIP: 10.96.0.11, ipFamilies: [IPv6]' | expected an IPv6 value as indicated by `ipFamilies[0]`",
        "'clusterIPs: [10.96.0.11, 10.96.0.12]' | may specify no more than one IP for each IP family",
    })
    void withARangeWhatDoesNotFitIsRefusedInTheWordsOfTheApiServer(String spec, String message) {
        TestCluster cluster = TestCluster.of(ranges("10.96.0.0/12"), service("dns", "clusterIP: 10.96.0.10") + service("x", spec));
        assertThat(cluster.names(ServiceFact.class)).containsExactly("default/dns");
        assertThat(cluster.problems()).singleElement().asString()
                .startsWith("test.yaml:7: Service \"x\" is invalid: ").contains(message);
    }

    @Test
    void whoHasAnAddressKeepsItFromOneWhoWantsItLater() {
        TestCluster before = TestCluster.of(ranges("10.96.0.0/12"), service("old", "clusterIP: 10.96.0.10"));
        TestCluster after = before.then(service("new", "clusterIP: 10.96.0.10") + service("old", "clusterIP: 10.96.0.10"));
        assertThat(after.names(ServiceFact.class)).containsExactly("default/old");
    }

    /** The table of kubernetes.io, "IPv4/IPv6 dual-stack", for a cluster with both ranges and IPv4 first. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "ports: [{port: 80}] | 4",
        "ipFamilyPolicy: SingleStack | 4",
        "'ipFamilies: [IPv6]' | 6",
        "ipFamilyPolicy: PreferDualStack | 46",
        "ipFamilyPolicy: RequireDualStack | 46",
        "'ipFamilyPolicy: PreferDualStack, ipFamilies: [IPv6]' | 64",
        "'ipFamilyPolicy: RequireDualStack, ipFamilies: [IPv6, IPv4]' | 64",
        "'ipFamilyPolicy: PreferDualStack, clusterIP: 10.96.0.20' | 46",
        "'ipFamilyPolicy: RequireDualStack, clusterIP: \"fd00:10:96::20\"' | 64",
        "clusterIP: 'fd00:10:96::20' | 6",
        "'ipFamilyPolicy: RequireDualStack, clusterIPs: [\"fd00:10:96::20\", 10.96.0.20]' | 64",
    })
    void familiesFollowPolicyFamiliesAndChosenAddresses(String spec, String families) {
        TestCluster cluster = TestCluster.of(ranges("10.96.0.0/16", "fd00:10:96::/112"), service("x", spec));
        assertThat(cluster.problems()).isEmpty();
        StringBuilder found = new StringBuilder();
        cluster.service("x").clusterIps().forEach(address -> found.append(address.isIpv4() ? '4' : '6'));
        assertThat(found).hasToString(families);
    }

    @Test
    void preferDualStackIsContentWithTheOneFamilyThereIs() {
        TestCluster cluster = TestCluster.of(ranges("fd00::/108"), service("x", "ipFamilyPolicy: PreferDualStack"));
        assertThat(cluster.service("x").clusterIps()).singleElement().matches(address -> !address.isIpv4());
    }

    @Test
    void theApiServersOwnServiceHasTheFirstAddressIfItIsWanted() {
        ControlOptions options = TestCluster.PLAIN.withServiceRanges(List.of(AddressRange.parse("10.96.0.0/12")));
        TestCluster cluster = TestCluster.of(options, service("x", "clusterIP: 10.96.0.1"));
        assertThat(cluster.ips("kubernetes")).containsExactly("10.96.0.1");
        assertThat(cluster.service("kubernetes").ports()).extracting(PortFact::name, PortFact::port).containsExactly(
                tuple("https", 443));
        assertThat(cluster.problems()).singleElement().asString().contains("provided IP is already allocated");
        assertThat(TestCluster.of(options, service("kubernetes", "clusterIP: 10.96.0.7")).ips("kubernetes")).containsExactly("10.96.0.7");
        assertThat(TestCluster.of(service("x", "")).names(ServiceFact.class)).containsExactly("default/x");
    }

    @Test
    void nodePortsAreAllocatedKeptAndHeldToTheirRange() {
        String web = service("web", "type: NodePort, ports: [{port: 80, name: a}, {port: 81, name: b, nodePort: 30081}]");
        TestCluster cluster = TestCluster.of(web
                + service("taken", "type: NodePort, ports: [{port: 80, nodePort: 30081}]")
                + service("outside", "type: LoadBalancer, ports: [{port: 80, nodePort: 8080}]")
                + service("none", "type: LoadBalancer, allocateLoadBalancerNodePorts: false, ports: [{port: 80}]")
                + service("plain", "ports: [{port: 80}]"));
        List<PortFact> ports = cluster.service("web").ports();
        assertThat(ports.get(0).nodePort()).isBetween(30086, 32767);
        assertThat(ports.get(1).nodePort()).isEqualTo(30081);
        assertThat(cluster.service("none").ports().getFirst().nodePort()).isZero();
        assertThat(cluster.service("plain").ports().getFirst().nodePort()).isZero();
        assertThat(cluster.problems()).hasSize(2)
                .anySatisfy(p -> assertThat(p).contains("\"taken\" is invalid: spec.ports[0].nodePort: Invalid value: 30081: provided"
                        + " port is already allocated"))
                .anySatisfy(p -> assertThat(p).contains("\"outside\" is invalid: spec.ports[0].nodePort: Invalid value: 8080: provided"
                        + " port is not in the valid range. The range of valid ports is 30000-32767"));
        assertThat(cluster.then(service("aaa", "type: NodePort, ports: [{port: 80}]") + web).service("web").ports()).isEqualTo(ports);
    }

    @Test
    void loadBalancersKeepTheirStatusOrGetAnAddressOfThePool() {
        ControlOptions options = TestCluster.PLAIN.withLoadBalancerPool(AddressRange.parse("192.0.2.0/28"));
        String yaml = service("given", "type: LoadBalancer")
                + "status: {loadBalancer: {ingress: [{ip: 198.51.100.1}, {hostname: lb.example}]}}\n"
                + service("pool", "type: LoadBalancer")
                + service("asks", "type: LoadBalancer, loadBalancerIP: 192.0.2.9");
        TestCluster cluster = TestCluster.of(options, yaml);
        assertThat(cluster.service("given").ingressIps()).hasToString("[198.51.100.1]");
        assertThat(cluster.service("given").ingressHostnames()).containsExactly("lb.example");
        assertThat(cluster.service("pool").ingressIps()).singleElement().matches(options.loadBalancerPool()::contains);
        assertThat(cluster.service("asks").ingressIps()).hasToString("[192.0.2.9]");
        assertThat(TestCluster.of(yaml).service("pool").ingressIps()).isEmpty();
    }

    @Test
    void aPoolOfOneAddressHasOneAddress() {
        ControlOptions options = TestCluster.PLAIN.withLoadBalancerPool(AddressRange.parse("192.0.2.7/32"));
        TestCluster cluster = TestCluster.of(options, service("a", "type: LoadBalancer") + service("b", "type: LoadBalancer"));
        assertThat(cluster.service("a").ingressIps()).hasToString("[192.0.2.7]");
        assertThat(cluster.service("b").ingressIps()).isEmpty();
        assertThat(cluster.problems()).containsExactly("test.yaml:7: Service \"b\" gets no load balancer: pool 192.0.2.7/32 is full");
    }

    @ParameterizedTest
    @CsvSource({"10.96.0.0", "10.96.0.0/33", "web/8", "''"})
    void aRangeThatIsNoneIsToldSo(String text) {
        assertThatThrownBy(() -> AddressRange.parse(text))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("write ADDRESS/PREFIX");
    }
}
