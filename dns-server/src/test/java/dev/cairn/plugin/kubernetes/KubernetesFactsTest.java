package dev.cairn.plugin.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.check.CorefileCheck;
import dev.cairn.conformance.UnitFact;
import dev.cairn.corefile.Problem;
import dev.cairn.server.ConfigSource;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Verdict;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.ReverseMap;
import org.xbill.DNS.Type;

/** The facts about the plugin's parts: what a name stands for, how an endpoint is called, and which directives are right. */
class KubernetesFactsTest {
    /** Names of the facts that no query can carry, and why. */
    private static final Map<String, String> NOT_ON_THE_WIRE =
            Map.of("..webs.mynamespace.svc.inter.webs.tests.", "only the root has an empty label (RFC 1035 section 3.1)");

    @TempDir
    Path manifests;

    static List<UnitFact> names() {
        return UnitFact.of("parse_request").stream().filter(fact -> !NOT_ON_THE_WIRE.containsKey(fact.text("name"))).toList();
    }

    static List<UnitFact> wrongNames() {
        return UnitFact.of("parse_request_invalid");
    }

    static List<UnitFact> endpoints() {
        return UnitFact.of("endpoint_label");
    }

    static List<UnitFact> directives() {
        return UnitFact.of("kubernetes_directive");
    }

    private static @Nullable NameParts parts(UnitFact fact) throws IOException {
        byte[] packet = TestServer.query(fact.text("name"), Type.A).toWire();
        QueryView query = new QueryView();
        System.arraycopy(packet, 0, query.buffer(packet.length), 0, packet.length);
        assertThat(query.read(packet.length)).isEqualTo(Verdict.ANSWER);
        return NameParts.of(query, WireName.parse("inter.webs.tests."), fact.flag("multicluster"), fact.flag("zonal"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void aNameFallsIntoParts(UnitFact fact) throws IOException {
        assertThat(fact.text("zone")).isEqualTo("inter.webs.tests.");
        assertThat(parts(fact)).isEqualTo(new NameParts(fact.text("port"), fact.text("protocol"), fact.text("endpoint"), fact.text("cluster"),
                fact.text("topology_zone"), fact.text("service"), fact.text("namespace"), fact.text("kind")));
    }

    @ParameterizedTest
    @MethodSource("wrongNames")
    void aNameOfNoKnownFormHasNoParts(UnitFact fact) throws IOException {
        assertThat(parts(fact)).isNull();
    }

    @Test
    void namesThatAreNotTriedAreNamesOfTheFile() {
        assertThat(UnitFact.of("parse_request").stream().map(fact -> fact.text("name")).collect(Collectors.toSet()))
                .containsAll(NOT_ON_THE_WIRE.keySet());
    }

    @ParameterizedTest
    @MethodSource("endpoints")
    void anEndpointHasItsLabel(UnitFact fact) throws Exception {
        String ip = fact.text("ip");
        String target = fact.text("pod_name").isEmpty() ? "" : ", targetRef: {kind: Pod, name: " + fact.text("pod_name") + "}";
        String host = fact.text("hostname").isEmpty() ? "" : ", hostname: " + fact.text("hostname");
        Files.writeString(manifests.resolve("cluster.yaml"), """
                apiVersion: v1
                kind: Service
                metadata: {name: s, namespace: shop}
                spec: {clusterIP: None, ports: [{port: 80}]}
                ---
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: s-1, namespace: shop, labels: {kubernetes.io/service-name: s}}
                addressType: %s
                ports: [{port: 80}]
                endpoints: [{addresses: ["%s"]%s%s}]
                """.formatted(ip.contains(":") ? "IPv6" : "IPv4", ip, host, target));
        String option = fact.flag("endpoint_pod_names") ? "  endpoint_pod_names\n" : "";
        try (TestServer server = TestServer.start(
                ". {\n kubernetes cluster.local in-addr.arpa ip6.arpa {\n  manifests " + manifests + "\n" + option + " }\n}")) {
            await().until(() -> server.ask("none.none.svc.cluster.local", Type.A).getRcode() != Rcode.SERVFAIL);
            String pointer = ReverseMap.fromAddress(InetAddress.getByName(ip)).toString();
            assertThat(TestServer.answers(server.ask(pointer, Type.PTR))).singleElement().asString()
                    .endsWith(" PTR " + fact.text("label") + ".s.shop.svc.cluster.local.");
        }
    }

    /** Messages are our own and name the place and the way out, so that only whether there is one is compared. */
    @ParameterizedTest
    @MethodSource("directives")
    void aDirectiveIsRightOrWrong(UnitFact fact) {
        List<String> errors = CorefileCheck.check(ConfigSource.text("Corefile", "coredns.local {\n" + fact.text("input") + "\n}\n"), 53).stream()
                .filter(problem -> problem.severity() == Problem.Severity.ERROR)
                .map(Problem::toString)
                .toList();
        assertThat(!errors.isEmpty()).as("wrong: %s", errors).isEqualTo(fact.flag("error"));
        assertThat(errors).allSatisfy(error -> assertThat(error).matches("(?s)Corefile:[2-5]: plugin/kubernetes: .*"));
    }
}
