package dev.cairn.plugin.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Manifests;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** What the conformance facts do not say: sharing, reloads, aliases through the server, large answers, mistakes. */
class KubernetesTest {
    @TempDir
    Path manifests;

    private void write(String text) throws IOException {
        Manifests.write(manifests, text);
    }

    private static void awaitSynced(TestServer server) {
        Awaitility.await().until(() -> server.ask("none.none.svc.cluster.local", Type.A).getRcode() != Rcode.SERVFAIL);
    }

    private static String headless(int endpoints) {
        String rows = IntStream.range(0, endpoints)
                .mapToObj(i -> "- addresses: [10.1." + i / 250 + "." + (i % 250 + 1) + "]\n")
                .collect(Collectors.joining());
        return """
                apiVersion: v1
                kind: Service
                metadata: {name: many, namespace: shop}
                spec: {clusterIP: None, ports: [{port: 80}]}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: many-1, namespace: shop, labels: {kubernetes.io/service-name: many}}
                addressType: IPv4
                ports: [{port: 80}]
                endpoints:
                """ + rows;
    }

    /** @param rows names of services and what they stand for */
    private static String externalNames(String... rows) {
        return Stream.of(rows)
                .map(row -> row.split(" ", -1))
                .map(row -> """
                        ---
                        apiVersion: v1
                        kind: Service
                        metadata: {name: %s, namespace: shop}
                        spec: {type: ExternalName, externalName: %s}
                        """.formatted(row[0], row[1]))
                .collect(Collectors.joining());
    }

    @Test
    void aTruncatedAnswerBeginsElsewhereEachTime() throws Exception {
        write(headless(1000));
        try (TestServer server = TestServer.start(". {\n kubernetes cluster.local {\n  manifests " + manifests + "\n }\n}")) {
            awaitSynced(server);
            Set<String> first = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                Message reply = server.ask("many.shop.svc.cluster.local", Type.A);
                assertThat(reply.getHeader().getFlag(Flags.TC)).isTrue();
                first.add(TestServer.answers(reply).getFirst());
            }
            assertThat(first).hasSizeGreaterThan(10);
            assertThat(TestServer.answers(server.askTcp("many.shop.svc.cluster.local", Type.A))).hasSize(1000).doesNotHaveDuplicates();
        }
    }

    @Test
    void anExternalNameIsFollowedThroughTheWholeServer() throws Exception {
        write("""
                apiVersion: v1
                kind: Service
                metadata: {name: pay, namespace: shop}
                spec: {type: ExternalName, externalName: pay.example.com}
                """);
        String corefile = "cluster.local {\n kubernetes {\n  manifests " + manifests + "\n }\n}\nexample.com {\n hosts {\n  192.0.2.7 pay.example.com\n }\n}";
        try (TestServer server = TestServer.start(corefile)) {
            awaitSynced(server);
            assertThat(TestServer.answers(server.ask("pay.shop.svc.cluster.local", Type.A)))
                    .containsExactly("pay.shop.svc.cluster.local. 5 IN CNAME pay.example.com.", "pay.example.com. 3600 IN A 192.0.2.7");
        }
    }

    /** Loops are to be signalled as an error (RFC 1034 section 3.6.2); no data would be believed and kept by caches. */
    @ParameterizedTest
    @ValueSource(strings = {"one.shop.svc.cluster.local", "two.shop.svc.cluster.local", "into.shop.svc.cluster.local",
        "self.shop.svc.cluster.local", "self.shop.svc.other.local"})
    void aCircleOfExternalNamesIsAnError(String name) throws Exception {
        write(externalNames("one two.shop.svc.cluster.local", "two one.shop.svc.cluster.local", "into one.shop.svc.cluster.local",
                "self self.shop.svc.cluster.local"));
        String corefile = ". {\n errors\n kubernetes cluster.local other.local {\n  manifests " + manifests + "\n }\n}";
        try (TestServer server = TestServer.start(corefile)) {
            awaitSynced(server);
            Message reply = server.ask(name, Type.A);
            assertThat(Rcode.string(reply.getRcode())).isEqualTo("SERVFAIL");
            assertThat(TestServer.answers(reply)).isEmpty();
            Awaitility.await().until(() -> server.logLinesWith("[ERROR] plugin/errors: 2 " + name + ". A: ")
                    .anyMatch(line -> line.endsWith("go in circles")));
        }
    }

    @Test
    void aReloadKeepsWhatIsKnown() throws Exception {
        write(headless(3));
        String corefile = ". {\n kubernetes cluster.local {\n  manifests " + manifests + "\n  ttl %d\n }\n}";
        try (TestServer server = TestServer.start(corefile.formatted(5))) {
            awaitSynced(server);
            assertThat(server.reload(corefile.formatted(30))).isTrue();
            // Not one SERVFAIL in between: the store is the same.
            assertThat(TestServer.answers(server.ask("many.shop.svc.cluster.local", Type.A))).hasSize(3).allMatch(row -> row.contains(" 30 IN A "));
        }
    }

    @Test
    void otherZonesAreServedBeforeTheClusterIsKnown() throws Exception {
        String corefile = "cluster.local {\n kubernetes {\n  endpoint http://127.0.0.1:1\n }\n}\n. {\n whoami\n}";
        try (TestServer server = TestServer.start(corefile)) {
            assertThat(server.ask("kubernetes.default.svc.cluster.local", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(server.ask("example.org", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("kubernetes 10.0.0.0/8", "non-reverse zone name"),
                Arguments.of("kubernetes cluster.local {\n  pods sometimes\n }", "verified"),
                Arguments.of("kubernetes cluster.local {\n  ttl 4000\n }", "3600"),
                Arguments.of("kubernetes cluster.local {\n  tls cert key\n }", "tls CERT KEY CACERT"),
                Arguments.of("kubernetes cluster.local {\n  namespaces a\n  namespace_labels b=c\n }", "cannot both be set"),
                Arguments.of("kubernetes cluster.local {\n  labels a==b==c\n }", "label selector"),
                Arguments.of("kubernetes cluster.local {\n  zonal\n  noendpoints\n }", "noendpoints"),
                Arguments.of("kubernetes cluster.local {\n  multicluster example.org\n }", "not a zone of this plugin"),
                Arguments.of("kubernetes cluster.local {\n  service_cidr 10.0.0.0/16\n }", "go with manifests"),
                Arguments.of("kubernetes cluster.local {\n  noapiservice\n }", "go with manifests"),
                Arguments.of("kubernetes cluster.local {\n  manifests /tmp/x\n  service_cidr 10.0.0.0/16 10.1.0.0/16\n }", "one address family"),
                Arguments.of("kubernetes cluster.local {\n  apiserver_qps -1\n }", "not a number of 0 or more"),
                Arguments.of("kubernetes cluster.local {\n  fallthroug\n }", "fallthrough"),
                Arguments.of("kubernetes cluster.local\n kubernetes cluster.local", "once per server block"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void saysWhatIsWrong(String directive, String words) throws Exception {
        List<String> errors = TestServer.errorsOf(". {\n " + directive + "\n}");
        assertThat(errors).isNotEmpty().anySatisfy(error -> assertThat(error).startsWith("Corefile:").contains(words));
    }

    /** The code is that of the last name of the chain (RFC 6604 section 3); a failure must not look like an answer that there is nothing. */
    @ParameterizedTest
    @CsvSource({
        "there, A, NOERROR, 2, 0", "there, AAAA, NOERROR, 1, 0", "missing, A, NXDOMAIN, 1, 1", "failing, A, SERVFAIL, 1, 0", "nobodys, A, NOERROR, 1, 0"
    })
    void anExternalNameHasTheCodeOfWhatItStandsFor(String name, String type, String rcode, int answers, int authority) throws Exception {
        write(externalNames("there there.example.com", "missing missing.example.net", "failing x.example.org", "nobodys x.example.edu"));
        String corefile = "cluster.local {\n kubernetes {\n  manifests " + manifests + "\n }\n}\n"
                + "example.com {\n hosts {\n  192.0.2.7 there.example.com\n }\n}\n"
                + "example.net {\n template ANY ANY {\n  rcode NXDOMAIN\n  authority \"example.net. 60 IN SOA ns.example.net. a.example.net. 1 60 60 60 60\"\n }\n}\n"
                + "example.org {\n template ANY ANY {\n  rcode SERVFAIL\n }\n}";
        try (TestServer server = TestServer.start(corefile)) {
            awaitSynced(server);
            Message reply = server.ask(name + ".shop.svc.cluster.local", Type.value(type));
            assertThat(Rcode.string(reply.getRcode())).isEqualTo(rcode);
            assertThat(TestServer.answers(reply)).hasSize(answers).first().asString().startsWith(name + ".shop.svc.cluster.local. 5 IN CNAME ");
            assertThat(TestServer.rows(reply, Section.AUTHORITY)).hasSize(authority);
        }
    }

    @Test
    void aLabelOfFullLengthIsNoDefect() throws Exception {
        write(headless(1));
        try (TestServer server = TestServer.start(". {\n prometheus 127.0.0.1:0\n kubernetes cluster.local {\n  manifests " + manifests + "\n }\n}")) {
            awaitSynced(server);
            String longest = "x".repeat(63);
            for (String name : List.of(longest + ".tcp", "http." + longest, longest + "." + longest, longest)) {
                assertThat(Rcode.string(server.ask(name + ".many.shop.svc.cluster.local", Type.SRV).getRcode())).as(name).isEqualTo("NXDOMAIN");
            }
            assertThat(server.metrics()).contains("coredns_panics_total 0\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "_zone.many, NOERROR", "pin._zone.many, NOERROR", "prefer._zone.many, NOERROR", "x.pin._zone.many, NOERROR", "x.prefer._zone.many, NOERROR",
        "other._zone.many, NXDOMAIN", "x.other._zone.many, NXDOMAIN", "_zone.web, NXDOMAIN", "pin._zone.web, NXDOMAIN", "pin._zone.none, NXDOMAIN"
    })
    void namesAboveZonalOnesExistWhereThoseDo(String name, String rcode) throws Exception {
        write(headless(1) + "---\napiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {ports: [{port: 80}]}\n");
        try (TestServer server = TestServer.start(". {\n kubernetes cluster.local {\n  manifests " + manifests + "\n  zonal\n }\n}")) {
            awaitSynced(server);
            assertThat(Rcode.string(server.ask(name + ".shop.svc.cluster.local", Type.A).getRcode())).isEqualTo(rcode);
        }
    }

    @Test
    void addressesOfNamespacesThatAreNotToldHaveNoNamesEither() throws Exception {
        write(Stream.of("shop", "hidden")
                .map(namespace -> """
                        ---
                        apiVersion: v1
                        kind: Namespace
                        metadata: {name: %1$s, labels: {told: "%1$s"}}
                        ---
                        apiVersion: v1
                        kind: Service
                        metadata: {name: web, namespace: %1$s}
                        spec: {clusterIP: 10.0.0.%2$d, ports: [{port: 80}]}
                        """.formatted(namespace, namespace.length()))
                .collect(Collectors.joining()));
        String corefile = ". {\n kubernetes cluster.local in-addr.arpa {\n  manifests " + manifests + "\n  namespace_labels told=shop\n }\n}";
        try (TestServer server = TestServer.start(corefile)) {
            awaitSynced(server);
            assertThat(Rcode.string(server.ask("web.hidden.svc.cluster.local", Type.A).getRcode())).isEqualTo("NXDOMAIN");
            assertThat(Rcode.string(server.ask("6.0.0.10.in-addr.arpa", Type.PTR).getRcode())).isEqualTo("NXDOMAIN");
            assertThat(TestServer.answers(server.ask("4.0.0.10.in-addr.arpa", Type.PTR))).hasSize(1);
        }
    }

    @Test
    void theServiceOfTheApiServerIsThereUnlessItIsNotWanted() throws Exception {
        write("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n");
        String corefile = ". {\n kubernetes cluster.local {\n  manifests " + manifests + "\n%s }\n}";
        try (TestServer server = TestServer.start(corefile.formatted(""))) {
            awaitSynced(server);
            assertThat(TestServer.answers(server.ask("kubernetes.default.svc.cluster.local", Type.A)))
                    .containsExactly("kubernetes.default.svc.cluster.local. 5 IN A 10.96.0.1");
            assertThat(TestServer.answers(server.ask("_https._tcp.kubernetes.default.svc.cluster.local", Type.SRV))).hasSize(1);
            assertThat(server.reload(corefile.formatted("  noapiservice\n"))).isTrue();
            assertThat(Rcode.string(server.ask("kubernetes.default.svc.cluster.local", Type.A).getRcode())).isEqualTo("NXDOMAIN");
        }
    }
}
