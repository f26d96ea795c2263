package dev.cairn.cluster.env;

import static dev.cairn.facts.Protocol.SCTP;
import static dev.cairn.facts.Protocol.TCP;
import static dev.cairn.facts.Protocol.UDP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.facts.Address;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.ServiceFact;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Expectations are those of the Kubernetes documentation ("Discovering services", "Accessing the Service") and of the kubelet. */
class ServiceEnvironmentTest {
    private static ServiceFact service(String namespace, String name, String addresses, PortFact... ports) {
        List<Address> clusterIps = Arrays.stream(addresses.split(" ", -1)).map(Address::parse).map(Objects::requireNonNull).toList();
        ServiceFact.Kind kind = ServiceFact.Kind.CLUSTER_IP;
        return new ServiceFact(namespace, name, kind, clusterIps, List.of(ports), "", List.of(), List.of(), List.of());
    }

    private static ServiceFact service(ServiceFact.Kind kind, String name) {
        String externalName = kind == ServiceFact.Kind.EXTERNAL_NAME ? "db.example.com" : "";
        List<PortFact> ports = List.of(new PortFact("", TCP, 80));
        return new ServiceFact("shop", name, kind, List.of(), ports, externalName, List.of(), List.of(), List.of());
    }

    private static List<String> names(boolean links, ServiceFact... services) {
        return ServiceEnvironment.ofPod("shop", links, List.of(services)).variables().keySet().stream()
                .filter(name -> name.endsWith("_SERVICE_HOST"))
                .toList();
    }

    static Stream<Arguments> services() {
        return Stream.of(
                Arguments.of("the example of the documentation",
                        service("shop", "redis-master", "10.0.0.11", new PortFact("", TCP, 6379)), """
                                REDIS_MASTER_SERVICE_HOST=10.0.0.11
                                REDIS_MASTER_SERVICE_PORT=6379
                                REDIS_MASTER_PORT=tcp://10.0.0.11:6379
                                REDIS_MASTER_PORT_6379_TCP=tcp://10.0.0.11:6379
                                REDIS_MASTER_PORT_6379_TCP_PROTO=tcp
                                REDIS_MASTER_PORT_6379_TCP_PORT=6379
                                REDIS_MASTER_PORT_6379_TCP_ADDR=10.0.0.11
                                """),
                Arguments.of("IPv6 in brackets where a port follows",
                        service("shop", "v6", "fd00::a", new PortFact("", TCP, 80)), """
                                V6_SERVICE_HOST=fd00::a
                                V6_SERVICE_PORT=80
                                V6_PORT=tcp://[fd00::a]:80
                                V6_PORT_80_TCP=tcp://[fd00::a]:80
                                V6_PORT_80_TCP_PROTO=tcp
                                V6_PORT_80_TCP_PORT=80
                                V6_PORT_80_TCP_ADDR=fd00::a
                                """),
                Arguments.of("of two addresses the first",
                        service("shop", "dual", "10.0.0.3 fd00::3", new PortFact("", SCTP, 9)), """
                                DUAL_SERVICE_HOST=10.0.0.3
                                DUAL_SERVICE_PORT=9
                                DUAL_PORT=sctp://10.0.0.3:9
                                DUAL_PORT_9_SCTP=sctp://10.0.0.3:9
                                DUAL_PORT_9_SCTP_PROTO=sctp
                                DUAL_PORT_9_SCTP_PORT=9
                                DUAL_PORT_9_SCTP_ADDR=10.0.0.3
                                """),
                Arguments.of("several ports, of which the first is the one without a name",
                        service("shop", "web-2-a", "10.0.0.4", new PortFact("http-alt", TCP, 8080), new PortFact("p2p-9", UDP, 8080)), """
                                WEB_2_A_SERVICE_HOST=10.0.0.4
                                WEB_2_A_SERVICE_PORT=8080
                                WEB_2_A_SERVICE_PORT_HTTP_ALT=8080
                                WEB_2_A_SERVICE_PORT_P2P_9=8080
                                WEB_2_A_PORT=tcp://10.0.0.4:8080
                                WEB_2_A_PORT_8080_TCP=tcp://10.0.0.4:8080
                                WEB_2_A_PORT_8080_TCP_PROTO=tcp
                                WEB_2_A_PORT_8080_TCP_PORT=8080
                                WEB_2_A_PORT_8080_TCP_ADDR=10.0.0.4
                                WEB_2_A_PORT_8080_UDP=udp://10.0.0.4:8080
                                WEB_2_A_PORT_8080_UDP_PROTO=udp
                                WEB_2_A_PORT_8080_UDP_PORT=8080
                                WEB_2_A_PORT_8080_UDP_ADDR=10.0.0.4
                                """),
                Arguments.of("a first port of UDP",
                        service("shop", "dns", "10.0.0.10", new PortFact("dns", UDP, 53)), """
                                DNS_SERVICE_HOST=10.0.0.10
                                DNS_SERVICE_PORT=53
                                DNS_SERVICE_PORT_DNS=53
                                DNS_PORT=udp://10.0.0.10:53
                                DNS_PORT_53_UDP=udp://10.0.0.10:53
                                DNS_PORT_53_UDP_PROTO=udp
                                DNS_PORT_53_UDP_PORT=53
                                DNS_PORT_53_UDP_ADDR=10.0.0.10
                                """),
                Arguments.of("no port at all", service("shop", "bare", "10.0.0.12"), "BARE_SERVICE_HOST=10.0.0.12\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("services")
    void tellsHostPortsAndLinks(String what, ServiceFact service, String lines) {
        assertThat(ServiceEnvironment.ofPod("shop", true, List.of(service)).lines())
                .as(what)
                .containsExactlyElementsOf(lines.lines().toList());
    }

    private static final PortFact PORT = new PortFact("", TCP, 80);
    private static final ServiceFact MASTER = service("default", "kubernetes", "10.0.0.1", new PortFact("https", TCP, 443));

    @Test
    void tellsOfThePodsNamespaceAndTheApiServerInTheOrderOfNames() {
        assertThat(names(true, service("shop", "web", "10.0.0.5", PORT), MASTER, service("shop", "cart", "10.0.0.6", PORT),
                        service("other", "elsewhere", "10.0.0.7", PORT), service("default", "of-default", "10.0.0.8", PORT)))
                .containsExactly("CART_SERVICE_HOST", "KUBERNETES_SERVICE_HOST", "WEB_SERVICE_HOST");
    }

    @Test
    void tellsOnlyOfTheApiServerWithoutServiceLinks() {
        assertThat(names(false, service("shop", "web", "10.0.0.5", PORT), MASTER)).containsExactly("KUBERNETES_SERVICE_HOST");
    }

    @Test
    void leavesOutWhatHasNoAddressOfItsOwn() {
        assertThat(names(true, service(ServiceFact.Kind.HEADLESS, "headless"), service(ServiceFact.Kind.EXTERNAL_NAME, "external"),
                        service(ServiceFact.Kind.CLUSTER_IP, "not-allocated-yet")))
                .isEmpty();
    }

    @Test
    void aServiceOfThePodsNamespaceHidesTheApiServersWhicheverComesFirst() {
        ServiceFact own = service("shop", "kubernetes", "10.0.0.9", PORT);
        for (List<ServiceFact> services : List.of(List.of(MASTER, own), List.of(own, MASTER))) {
            assertThat(ServiceEnvironment.ofPod("shop", true, services).variables()).containsEntry("KUBERNETES_SERVICE_HOST", "10.0.0.9");
            assertThat(ServiceEnvironment.ofPod("shop", false, services).variables()).containsEntry("KUBERNETES_SERVICE_HOST", "10.0.0.1");
        }
    }

    @Test
    void tellsAPodOfTheDefaultNamespaceOfItsServices() {
        assertThat(ServiceEnvironment.ofPod("default", true, List.of(MASTER, service("default", "web", "10.0.0.5", PORT))).variables())
                .containsEntry("KUBERNETES_SERVICE_PORT_HTTPS", "443")
                .containsEntry("WEB_SERVICE_HOST", "10.0.0.5");
    }
}
