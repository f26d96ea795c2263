package dev.cairn.plugin.k8sexternal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.Manifests;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;
import org.xbill.DNS.ZoneTransferIn;

/** What the conformance facts do not say: changes, aliases through the server, names between, mistakes. */
class K8sExternalTest {
    private static final String CLUSTER = String.join("---\n", Manifests.SHOP,
            Manifests.service("web", "{ports: [{name: http, port: 80}, {name: dns, port: 53, protocol: UDP}],"
                    + " externalIPs: [192.0.2.10, 192.0.2.11, '2001:db8::10']}"),
            Manifests.service("other", "{ports: [{port: 80}], externalIPs: [192.0.2.10]}"),
            Manifests.service("balanced", "{type: LoadBalancer, ports: [{name: http, port: 80}]}")
                    + "status: {loadBalancer: {ingress: [{hostname: lb.example.net}]}}\n",
            Manifests.service("inside", "{ports: [{port: 80}]}"), """
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: inside-1, namespace: shop, labels: {kubernetes.io/service-name: inside}}
            addressType: IPv4
            ports: [{port: 8080}]
            endpoints:
            - addresses: [10.1.0.7]
            """);

    @TempDir
    Path manifests;

    private TestServer start(String properties) throws Exception {
        Manifests.write(manifests, CLUSTER);
        TestServer server = TestServer.start("""
                . {
                    kubernetes cluster.local {
                        manifests %s
                    }
                    k8s_external example.org in-addr.arpa {
                        %s
                    }
                    hosts {
                        203.0.113.5 lb.example.net
                        fallthrough
                    }
                    whoami
                }
                """.formatted(manifests, properties));
        Awaitility.await().until(() -> server.ask("shop.example.org", Type.A).getRcode() == Rcode.NOERROR);
        return server;
    }

    @Test
    void otherServersFetchTheZonesIfTransferLetsThem() throws Exception {
        try (TestServer server = start("}\ntransfer example.org in-addr.arpa {\n to *\n")) {
            assertThat(transferred(server, "example.org.")).startsWith("example.org. SOA").endsWith("example.org. SOA").contains(
                    "example.org. NS ns1.dns.example.org.",
                    "web.shop.example.org. A 192.0.2.10",
                    "web.shop.example.org. AAAA 2001:db8:0:0:0:0:0:10",
                    "_dns._udp.web.shop.example.org. SRV 0 33 53 web.shop.example.org.",
                    "balanced.shop.example.org. CNAME lb.example.net.",
                    "_http._tcp.balanced.shop.example.org. SRV 0 100 80 lb.example.net.")
                    .noneMatch(row -> row.contains("in-addr.arpa") || row.startsWith("balanced.shop.example.org. SRV") || row.contains("inside"));
            assertThat(transferred(server, "in-addr.arpa.")).contains(
                    "10.2.0.192.in-addr.arpa. PTR other.shop.example.org.", "11.2.0.192.in-addr.arpa. PTR web.shop.example.org.")
                    .noneMatch(row -> row.startsWith("web"));
        }
        try (TestServer server = start("")) {
            assertThatThrownBy(() -> transferred(server, "example.org.")).hasMessageContaining("REFUSED");
        }
    }

    /** All records of a zone, in the order they came; of the SOA only that there is one. */
    private static List<String> transferred(TestServer server, String zone) throws Exception {
        ZoneTransferIn transfer = ZoneTransferIn.newAXFR(Name.fromString(zone), "127.0.0.1", server.port(), null);
        transfer.run();
        return transfer.getAXFR().stream()
                .map(row -> row.getName() + " " + Type.string(row.getType()) + (row.getType() == Type.SOA ? "" : " " + row.rdataToString()))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            web.shop.example.org A             | NOERROR  | web.shop.example.org. 5 IN A 192.0.2.10 / web.shop.example.org. 5 IN A 192.0.2.11
            web.shop.example.org AAAA          | NOERROR  | web.shop.example.org. 5 IN AAAA 2001:db8:0:0:0:0:0:10
            web.shop.example.org TXT           | NOERROR  |
            _dns._udp.web.shop.example.org SRV | NOERROR  | _dns._udp.web.shop.example.org. 5 IN SRV 0 33 53 web.shop.example.org.
            _udp.web.shop.example.org A        | NOERROR  |
            _x._udp.web.shop.example.org SRV   | NXDOMAIN |
            x.web.shop.example.org A           | NXDOMAIN |
            balanced.shop.example.org A        | NOERROR  | balanced.shop.example.org. 5 IN CNAME lb.example.net. / lb.example.net. 3600 IN A 203.0.113.5
            inside.shop.example.org A          | NXDOMAIN |
            10.2.0.192.in-addr.arpa PTR        | NOERROR  | 10.2.0.192.in-addr.arpa. 5 IN PTR other.shop.example.org. / 10.2.0.192.in-addr.arpa. 5 IN PTR web.shop.example.org.
            10.2.0.192.in-addr.arpa A          | NOERROR  |
            99.2.0.192.in-addr.arpa PTR        | NXDOMAIN |
            shop.example.org A                 | NOERROR  |
            none.example.org A                 | NXDOMAIN |
            example.org MX                     | NOERROR  |
            x.dns.example.org A                | NXDOMAIN |
            """)
    void answersWithWhatIsReachedFromOutside(String question, String code, String expected) throws Exception {
        try (TestServer server = start("")) {
            Message reply = server.ask(question.split(" ", 2)[0], Type.value(question.split(" ", 2)[1]));
            assertThat(Rcode.string(reply.getRcode())).isEqualTo(code);
            assertThat(TestServer.answers(reply)).isEqualTo(expected == null ? List.of() : List.of(expected.split(" / ")));
            if (expected == null) {
                assertThat(TestServer.rows(reply, Section.AUTHORITY)).singleElement().asString().contains(" 5 IN SOA ns1.dns.");
            }
        }
    }

    @Test
    void endpointsHaveNamesIfThatIsWanted() throws Exception {
        try (TestServer server = start("headless\nttl 30\napex own")) {
            assertThat(TestServer.answers(server.ask("10-1-0-7.inside.shop.example.org", Type.A)))
                    .containsExactly("10-1-0-7.inside.shop.example.org. 30 IN A 10.1.0.7");
            assertThat(server.ask("inside.shop.example.org", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(TestServer.answers(server.ask("example.org", Type.NS))).containsExactly("example.org. 30 IN NS ns1.own.example.org.");
        }
    }

    @Test
    void unknownNamesFallThroughAndChangesApply() throws Exception {
        try (TestServer server = start("fallthrough")) {
            // whoami below tells the client's address
            assertThat(TestServer.rows(server.ask("gone.shop.example.org", Type.A), Section.ADDITIONAL))
                    .contains("gone.shop.example.org. 0 IN A 127.0.0.1");
            Manifests.write(manifests, CLUSTER.replace("192.0.2.11", "192.0.2.12").replace("name: other", "name: gone"));
            Awaitility.await().untilAsserted(() ->
                    assertThat(TestServer.answers(server.ask("gone.shop.example.org", Type.A)))
                            .containsExactly("gone.shop.example.org. 5 IN A 192.0.2.10"));
            assertThat(TestServer.answers(server.ask("web.shop.example.org", Type.A)))
                    .containsExactly("web.shop.example.org. 5 IN A 192.0.2.10", "web.shop.example.org. 5 IN A 192.0.2.12");
            assertThat(TestServer.answers(server.ask("12.2.0.192.in-addr.arpa", Type.PTR))).hasSize(1);
            assertThat(TestServer.answers(server.ask("10.2.0.192.in-addr.arpa", Type.PTR)))
                    .containsExactly("10.2.0.192.in-addr.arpa. 5 IN PTR gone.shop.example.org.", "10.2.0.192.in-addr.arpa. 5 IN PTR web.shop.example.org.");
        }
    }

    @Test
    void needsKubernetesInTheSameBlock() {
        assertThatThrownBy(() -> TestServer.start(". {\n k8s_external example.org\n}").close())
                .isInstanceOf(IOException.class).hasMessageContaining("add kubernetes");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "k8s_external a\nk8s_external b",
        "k8s_external a {\n ttl 3601\n }",
        "k8s_external a {\n ttl\n }",
        "k8s_external a {\n apex\n }",
        "k8s_external a {\n apex a..b\n }",
        "k8s_external a {\n headless yes\n }",
        "k8s_external a {\n heedless\n }",
    })
    void refuses(String directive) throws Exception {
        assertThat(TestServer.errorsOf(". {\n " + directive + "\n}")).hasSize(1).allSatisfy(error -> assertThat(error).contains("plugin/k8s_external"));
    }
}
