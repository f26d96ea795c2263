package dev.cairn.cluster.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.control.Allocations;
import dev.cairn.cluster.control.ClusterObject.ServiceObject;
import dev.cairn.cluster.control.ControlPlane;
import dev.cairn.cluster.control.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestReaderTest {
    private static List<String> names(ManifestReader.Content content) {
        return content.objects().stream().map(object -> object.meta().key()).toList();
    }

    private static List<String> problems(ManifestReader.Content content) {
        return content.problems().stream().map(Problem::toString).toList();
    }

    @Test
    void aFileMayHoldManyDocumentsAndEachKnowsItsLine() {
        ManifestReader.Content content = ManifestReader.read("a.yaml", """
                # first
                apiVersion: v1
                kind: Service
                metadata: {name: one}
                ---
                ---
                # nothing but a comment
                --- # with a comment
                apiVersion: v1
                kind: Service
                metadata: {name: two}
                ...
                """);
        assertThat(content.objects()).extracting(object -> object.meta().key() + " " + object.meta().origin())
                .containsExactly("default/one a.yaml:2", "default/two a.yaml:9");
        assertThat(content.problems()).isEmpty();
        assertThat(content.whole()).isTrue();
    }

    @Test
    void aBadDocumentIsNamedWithItsLineAndTheOthersAreRead() {
        ManifestReader.Content content = ManifestReader.read("a.yaml", """
                apiVersion: v1
                kind: Service
                metadata: {name: one}
                ---
                apiVersion: v1
                kind: "Service
                metadata: {name: broken}
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: two}
                """);
        assertThat(names(content)).containsExactly("default/one", "default/two");
        assertThat(problems(content)).singleElement().asString().matches("a\\.yaml:[5-8]: cannot be read: .*");
        assertThat(content.whole()).isFalse();
    }

    @Test
    void aBadObjectIsNamedWithItsLineAndDoesNotMakeTheFileBroken() {
        ManifestReader.Content content = ManifestReader.read("a.yaml", """
                apiVersion: v1
                kind: Service
                metadata: {name: one}
                spec:
                  ports:
                  - {name: a, port: 80}
                  - {name: b, port: many}
                """);
        assertThat(problems(content)).singleElement().asString()
                .startsWith("a.yaml:7: Service \"one\" is invalid: spec.ports[1].port: Invalid value: \"many\": must be between 1 and");
        assertThat(content.whole()).isTrue();
    }

    @Test
    void jsonIsReadWithTabsAndAll() {
        ManifestReader.Content content = ManifestReader.read("a.json", """
                {
                \t"apiVersion": "v1",
                \t"kind": "List",
                \t"items": [
                \t\t{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "one", "namespace": "shop"}},
                \t\t{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
                \t]
                }
                """);
        assertThat(problems(content)).isEmpty();
        assertThat(names(content)).containsExactly("shop/one", "shop");
    }

    @Test
    void itemsOfATypedListNeedNoKind() {
        ManifestReader.Content content = ManifestReader.read("a.yaml", """
                apiVersion: v1
                kind: ServiceList
                metadata: {resourceVersion: "1"}
                items:
                - metadata: {name: one}
                  spec: {clusterIP: None}
                """);
        assertThat(problems(content)).isEmpty();
        assertThat(content.objects()).singleElement().isInstanceOf(ServiceObject.class);
    }

    @Test
    void otherKindsAndServicesOfOtherGroupsArePassedOver() {
        ManifestReader.Content content = ManifestReader.read("a.yaml", """
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}
                ---
                {apiVersion: serving.knative.dev/v1, kind: Service, metadata: {name: web}}
                """);
        assertThat(content.objects()).isEmpty();
        assertThat(content.problems()).isEmpty();
    }

    @Test
    void anchorsAndMergeKeysWork() {
        ManifestReader.Content content = ManifestReader.read("a.yaml", """
                apiVersion: v1
                kind: List
                items:
                - apiVersion: v1
                  kind: Service
                  metadata: &meta {name: one, namespace: shop}
                - apiVersion: v1
                  kind: Service
                  metadata: {<<: *meta, name: two}
                """);
        assertThat(problems(content)).isEmpty();
        assertThat(names(content)).containsExactly("shop/one", "shop/two");
    }

    @Test
    void aDocumentThatBlowsUpIsRefused() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x]\n");
        for (int i = 1; i < 100; i++) {
            bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }
        ManifestReader.Content content = ManifestReader.read("a.yaml", bomb.append("---\nkind: Node\nmetadata: {name: n}\n").toString());
        assertThat(problems(content)).singleElement().asString().contains("cannot be read");
        assertThat(names(content)).containsExactly("n");
    }

    @Test
    void aListThatContainsItselfEnds() {
        ManifestReader.Content content = ManifestReader.read("a.yaml", "&a\nkind: List\nitems: [*a]\n");
        assertThat(content.objects()).isEmpty();
    }

    @Test
    void nestingWithoutEndIsRefused() {
        ManifestReader.Content content = ManifestReader.read("a.yaml", "a: " + "[".repeat(200_000) + "]".repeat(200_000));
        assertThat(problems(content)).singleElement().asString().contains("a.yaml:1: cannot be read");
    }

    @Test
    void aKeyThatIsThereTwiceIsAFault() {
        ManifestReader.Content content = ManifestReader.read("a.yaml", "kind: Service\nmetadata:\n  name: one\n  name: two\n");
        assertThat(problems(content)).containsExactly("a.yaml:4: document is invalid: metadata: key \"name\" is there twice");
    }

    /** Changes, cuts and doubles parts of the examples at random, the same way each time. */
    @Test
    void whateverAFileHoldsIsAnObjectOrAProblem() throws IOException {
        StringBuilder examples = new StringBuilder();
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("cairn.root"), "examples/cluster"))) {
            for (Path file : files.sorted().toList()) {
                examples.append("---\n").append(Files.readString(file));
            }
        }
        String[] pieces = {"\t", "[", "{", "}", "]", "*a", "&a ", "<<: *a", "'", "\"", "!!int ", ": ", "- ", "\u0000", "\ud83d",
            "%", "|", ">", "? ", "~", "null", "...\n", "---\n", "\r", "@", "`", "1e9", "-1", "99999999999999999999"};
        Random random = new Random(42);
        for (int i = 0; i < 1500; i++) {
            StringBuilder text = new StringBuilder(examples);
            for (int change = random.nextInt(8); change >= 0; change--) {
                int at = random.nextInt(text.length());
                text.replace(at, Math.min(text.length(), at + random.nextInt(12)), pieces[random.nextInt(pieces.length)]);
            }
            ManifestReader.Content content = ManifestReader.read("a.yaml", text.toString());
            new ControlPlane(TestCluster.PLAIN, TestCluster.EVERYTHING).reconcile(content.objects(), Allocations.NONE);
            assertThat(content.objects().size() + content.problems().size()).isPositive();
        }
    }

    /** The rules of the Kubernetes API for services; services.md, "Object". */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        "web    | ports: [{port: 80}]                                             | -",
        "1web   | ports: [{port: 80}]                                             | a DNS-1035 label",
        "Web    | ports: [{port: 80}]                                             | metadata.name: Invalid value: \"Web\"",
        "web.a  | ports: [{port: 80}]                                             | a DNS-1035 label",
        "web    | clusterIP: None                                                 | -",
        "web    | 'ports: [{port: 80}, {port: 81}]'                               | spec.ports[0].name: Required value",
        "web    | 'ports: [{port: 80, name: a}, {port: 81}]'                      | spec.ports[1].name: Required value",
        "web    | 'ports: [{port: 80, name: a}, {port: 81, name: a}]'             | spec.ports[1].name: Duplicate value: \"a\"",
        "web    | 'ports: [{port: 80, name: a}, {port: 80, name: b}]'             | spec.ports[1]: Duplicate value: 80/TCP",
        "web    | 'ports: [{port: 80, name: a}, {port: 80, name: b, protocol: UDP}]' | -",
        "web    | 'ports: [{port: 80, name: 123-abc}]'                            | -",
        "web    | 'ports: [{port: 80, name: 123_abc}]'                            | spec.ports[0].name: Invalid value: \"123_abc\"",
        "web    | 'ports: [{port: 80, name: -web}]'                               | spec.ports[0].name: Invalid value: \"-web\"",
        "web    | 'ports: [{port: 80, protocol: HTTP}]'                           | spec.ports[0].protocol",
        "web    | 'ports: [{port: 80, protocol: SCTP}]'                           | -",
        "web    | 'ports: [{port: 0}]'                                            | spec.ports[0].port",
        "web    | 'ports: [{port: 65536}]'                                        | spec.ports[0].port",
        "web    | 'ports: [{name: a}]'                                            | spec.ports[0].port: Required value",
        "web    | 'ports: [{port: 80, targetPort: 123}]'                          | -",
        "web    | 'ports: [{port: 80, targetPort: a-name-of-more-than-15}]'       | no more than 15",
        "web    | 'ports: [{port: 80, targetPort: 70000}]'                        | spec.ports[0].targetPort",
        "web    | type: Clusterip                                                 | Unsupported value: \"Clusterip\"",
        "web    | type: ExternalName                                              | spec.externalName: Required value",
        "web    | 'type: NodePort, clusterIP: None'                               | may not be set to 'None' for NodePort",
        "web    | 'clusterIP: 10.0.0.1, clusterIPs: [10.0.0.2]'                   | first value must match",
        "web    | 'clusterIPs: [None, 10.0.0.2]'                                  | 'None' must be the first and only value",
        "web    | 'ipFamilies: [IPv5]'                                            | spec.ipFamilies[0]",
        "web    | 'ipFamilyPolicy: SingleStack, ipFamilies: [IPv4, IPv6]'         | spec.ipFamilyPolicy",
        "web    | 'externalIPs: [nowhere]'                                        | spec.externalIPs[0]",
    })
    void servicesAreHeldToTheRules(String name, String spec, String fault) {
        ManifestReader.Content content = ManifestReader.read("a.yaml", TestCluster.service(name, spec));
        if (fault == null) {
            assertThat(problems(content)).isEmpty();
            assertThat(names(content)).containsExactly("default/" + name);
        } else {
            assertThat(problems(content)).singleElement().asString().contains("Service \"" + name + "\" is invalid: ").contains(fault);
            assertThat(content.objects()).isEmpty();
        }
    }

    /** Endpoint addresses that the API server refuses; services.md, "Endpoints". */
    @ParameterizedTest
    @CsvSource({"127.0.0.1", "::1", "169.254.1.1", "fe80::1", "224.0.0.1", "ff02::1", "0.0.0.0", "'::'", "10.0.0", "010.0.0.1"})
    void addressesThatLeadNowhereAreRefused(String address) {
        ManifestReader.Content content = ManifestReader.read("a.yaml", """
                {apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: s}, endpoints: [{addresses: ["%s"]}]}
                """.formatted(address));
        assertThat(content.objects()).isEmpty();
        assertThat(problems(content)).singleElement().asString().contains("endpoints[0].addresses[0]");
    }
}
