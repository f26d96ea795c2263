package dev.cairn.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import dev.cairn.cluster.LabelSelector;
import dev.cairn.cluster.WatchScope;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.Fact;
import dev.cairn.facts.ImportFact;
import dev.cairn.facts.Interner;
import dev.cairn.facts.PodFact;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.ServiceFact.Kind;
import dev.cairn.facts.SliceFact;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects as the Kubernetes documentation and a real server write them, and the facts they stand for. */
class DecoderTest {
    private static final WatchScope ALL = new WatchScope(LabelSelector.ALL, LabelSelector.ALL, true, true, true);

    private static final String OWN = "{\"kubernetes.io/service-name\":\"web\"}";

    private final Lines log = new Lines();
    private final Interner interner = new Interner();
    private final Complaints complaints = new Complaints(log);

    private static Fact read(ObjectDecoder decoder, String json) throws IOException {
        try (JsonParser parser = Json.FACTORY.createParser(json.getBytes(java.nio.charset.StandardCharsets.UTF_8))) {
            parser.nextToken();
            decoder.read(parser);
            assertThat(parser.nextToken()).as("tokens after the object").isNull();
            return decoder.fact();
        }
    }

    private Fact service(String spec, String status) throws IOException {
        return read(new ServiceDecoder(WatchScope.SERVICES_AND_SLICES, new Known(), interner, complaints), """
                {"apiVersion":"v1","kind":"Service","metadata":{"name":"web","namespace":"shop","resourceVersion":"7",
                "ownerReferences":[{"name":"x"}],
                "annotations":{"a":"{\\"name\\":\\"no\\"}"},"labels":{"name":"no"},
                "managedFields":[{"fieldsV1":{"f:metadata":{"name":"no"}}}]},
                "spec":%s,"status":%s}""".formatted(spec, status));
    }

    private static List<Address> ips(String... texts) {
        return List.of(texts).stream().map(Address::parse).toList();
    }

    @Test
    void a_service_with_both_families_node_ports_and_a_load_balancer() throws IOException {
        Fact fact = service("""
                {"clusterIP":"10.96.0.1","clusterIPs":["10.96.0.1","fd00::1"],"type":"LoadBalancer",
                "externalIPs":["192.0.2.1"],"ports":[
                {"name":"dns","protocol":"UDP","port":53,"targetPort":1053,"nodePort":30053},
                {"protocol":"SCTP","port":99},{"name":"web","port":80}]}""", """
                {"loadBalancer":{"ingress":[{"ip":"203.0.113.1","ipMode":"VIP","ports":[{"port":1}]},
                {"hostname":"lb.example.com"},{"ip":"2001:db8::1"}]}}""");
        assertThat(fact).isEqualTo(new ServiceFact("shop", "web", Kind.CLUSTER_IP, ips("10.96.0.1", "fd00::1"),
                List.of(new PortFact("dns", Protocol.UDP, 53, 30053), new PortFact("", Protocol.SCTP, 99),
                        new PortFact("web", Protocol.TCP, 80)), "",
                ips("192.0.2.1"), ips("203.0.113.1", "2001:db8::1"), List.of("lb.example.com")));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            {"clusterIP":"None","clusterIPs":["None"],"type":"ClusterIP"}  | HEADLESS      | []          |
            {"clusterIP":"None"}                                           | HEADLESS      | []          |
            {"clusterIP":"10.0.0.1"}                                       | CLUSTER_IP    | [10.0.0.1]  |
            {"type":"NodePort","clusterIPs":["fd00::2"]}                   | CLUSTER_IP    | [fd00::2]   |
            {"type":"ExternalName","externalName":"db.example.com"}        | EXTERNAL_NAME | []          | db.example.com
            {"type":"ExternalName","externalName":"db.example.com."}       | EXTERNAL_NAME | []          | db.example.com
            {"clusterIP":"10.0.0.1","externalName":"left.over"}            | CLUSTER_IP    | [10.0.0.1]  |
            {"clusterIPs":"not a list","clusterIP":{"not":"text"}}         | CLUSTER_IP    | []          |
            """)
    void kinds_of_services(String spec, Kind kind, String ips, String externalName) throws IOException {
        ServiceFact fact = (ServiceFact) service(spec, "{\"loadBalancer\":{}}");
        assertThat(fact.kind()).isEqualTo(kind);
        assertThat(fact.clusterIps()).hasToString(ips);
        assertThat(fact.externalName()).isEqualTo(externalName == null ? "" : externalName);
    }

    @Test
    void what_is_wrong_in_an_object_is_left_out_and_named_once() throws IOException {
        for (int i = 0; i < 2; i++) {
            ServiceFact fact = (ServiceFact) service("""
                    {"clusterIPs":["10.0.0.1","10.0.0.300"],"ports":[{"port":70000},
                    {"port":1e99},{"port":53,"protocol":"ICMP"},{"port":80}]}""", "null");
            assertThat(fact.clusterIps()).hasToString("[10.0.0.1]");
            assertThat(fact.ports()).containsExactly(new PortFact("", Protocol.TCP, 80));
        }
        assertThat(log.all()).hasSize(3).allMatch(line -> line.contains("services shop/web: ") && line.endsWith("; left out"));
    }

    private Fact slice(WatchScope scope, String labels, String rest) throws IOException {
        return read(new SliceDecoder(scope, new Known(), interner, complaints), """
                {"metadata":{"name":"web-x7","namespace":"shop","resourceVersion":"7","labels":%s,
                "annotations":{"endpoints.kubernetes.io/last-change-trigger-time":"2026-11-16T04:30:00Z","other":"x"}},
                %s}""".formatted(labels, rest));
    }

    @Test
    void a_slice_with_endpoints_of_every_condition() throws IOException {
        Fact fact = slice(WatchScope.SERVICES_AND_SLICES, "{\"kubernetes.io/service-name\":\"web\"}", """
                "addressType":"IPv4","ports":[{"name":"","protocol":"TCP","port":8080},{"name":"any","port":null}],"endpoints":[
                {"addresses":["10.1.0.1"],"conditions":{"ready":true,"serving":true,"terminating":false},
                 "hostname":"web-0","nodeName":"n1","zone":"z1",
                 "targetRef":{"kind":"Pod","namespace":"shop","name":"web-0","uid":"u"},"hints":{"forZones":[{"name":"z1"}]}},
                {"addresses":["10.1.0.2"],"conditions":{"ready":false,"serving":true,"terminating":true}},
                {"addresses":["10.1.0.3"],"conditions":{}},
                {"addresses":["10.1.0.4"],"conditions":{"ready":null}},
                {"addresses":["10.1.0.5"],"targetRef":{"kind":"Node","name":"n1"}}]""");
        assertThat(fact).isEqualTo(new SliceFact("shop", "web-x7", "web", "", List.of(new PortFact("", Protocol.TCP, 8080)), List.of(
                        new EndpointFact(ips("10.1.0.1").getFirst(), true, "web-0", "web-0", "", "z1"),   // no name tells of nodes
                        new EndpointFact(ips("10.1.0.2").getFirst(), false, "", "", "", ""),
                        new EndpointFact(ips("10.1.0.3").getFirst(), true, "", "", "", ""),
                        new EndpointFact(ips("10.1.0.4").getFirst(), true, "", "", "", ""),
                        new EndpointFact(ips("10.1.0.5").getFirst(), true, "", "", "", "")),
                Instant.parse("2026-11-16T04:30:00Z").toEpochMilli()));
        assertThat(log.all()).isEmpty();
    }

    @ParameterizedTest(name = "{0} when imports are wanted: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            {"kubernetes.io/service-name":"web"}                                                                              | true  | web/
            {"multicluster.kubernetes.io/service-name":"far","multicluster.kubernetes.io/source-cluster":"east"} | true  | far/east
            {"multicluster.kubernetes.io/service-name":"far","multicluster.kubernetes.io/source-cluster":"east"}              | false | none
            {"multicluster.kubernetes.io/service-name":"far"}                                                                 | true  | none
            {"kubernetes.io/service-name":"web","multicluster.kubernetes.io/service-name":"far"}                              | false | web/
            {"app":"web"}                                                                                                     | true  | none
            {}                                                                                                                | false | none
            """)
    void whose_slice_it_is(String labels, boolean imports, String expected) throws IOException {
        WatchScope scope = new WatchScope(LabelSelector.ALL, LabelSelector.ALL, true, false, imports);
        SliceFact fact = (SliceFact) slice(scope, labels, "\"addressType\":\"IPv4\",\"endpoints\":null");
        assertThat(fact == null ? "none" : fact.service() + "/" + fact.clusterId()).isEqualTo(expected);
    }

    @Test
    void a_slice_that_is_both_own_and_imported_counts_as_imported() throws IOException {
        SliceFact fact = (SliceFact) slice(ALL, """
                {"kubernetes.io/service-name":"web","multicluster.kubernetes.io/service-name":"far",
                "multicluster.kubernetes.io/source-cluster":"east"}""", "\"endpoints\":[]");
        assertThat(fact.service()).isEqualTo("far");
        assertThat(fact.isImported()).isTrue();
    }

    @Test
    void own_slices_are_selected_here_when_imported_ones_are_watched_too() throws IOException {
        WatchScope scope = new WatchScope(LabelSelector.ALL, LabelSelector.parse("tier=web"), true, false, true);
        assertThat(slice(scope, "{\"kubernetes.io/service-name\":\"web\",\"tier\":\"web\"}", "\"endpoints\":[]")).isNotNull();
        assertThat(slice(scope, "{\"kubernetes.io/service-name\":\"web\",\"tier\":\"db\"}", "\"endpoints\":[]")).isNull();
        String imported = "{\"multicluster.kubernetes.io/service-name\":\"far\",\"multicluster.kubernetes.io/source-cluster\":\"e\"}";
        assertThat(slice(scope, imported, "\"endpoints\":[]")).isNotNull();
    }

    @Test
    void a_slice_of_host_names_has_no_endpoints_and_is_not_wrong() throws IOException {
        SliceFact fact = (SliceFact) slice(ALL, OWN, "\"addressType\":\"FQDN\",\"endpoints\":[{\"addresses\":[\"a.example\"]}]");
        assertThat(fact.endpoints()).isEmpty();
        assertThat(log.all()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            {"phase":"Running","podIP":"10.1.0.1","podIPs":[{"ip":"10.1.0.1"},{"ip":"fd00::7"}]} | [10.1.0.1, fd00::7]
            {"phase":"Running","podIP":"10.1.0.1"}                                               | [10.1.0.1]
            {"phase":"Pending","hostIP":"192.0.2.1"}                                             | none
            {"hostIP":"192.0.2.1","podIP":"10.1.0.1"}                                            | [10.1.0.1]
            {"hostIP":"192.0.2.1","podIP":"192.0.2.1","podIPs":[{"ip":"192.0.2.1"}]}             | [192.0.2.1] of the node
            """)
    void pods_keep_all_their_addresses(String status, String expected) throws IOException {
        PodFact fact = (PodFact) read(new PodDecoder(ALL, new Known(), interner, complaints), """
                {"metadata":{"name":"p","namespace":"shop"},"spec":{"containers":[{"name":"c","ports":[{"containerPort":1}]}]},
                "status":%s}""".formatted(status));
        assertThat(fact == null ? "none" : fact.addresses() + (fact.onHostNetwork() ? " of the node" : "")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            true  | {app=web}
            false | {}
            """)
    void labels_of_pods_are_kept_only_if_wanted(boolean wanted, String expected) throws IOException {
        WatchScope scope = new WatchScope(LabelSelector.ALL, LabelSelector.ALL, false, true, false, wanted);
        PodFact fact = (PodFact) read(new PodDecoder(scope, new Known(), interner, complaints),
                "{\"metadata\":{\"name\":\"p\",\"namespace\":\"shop\",\"labels\":{\"app\":\"web\"}},\"status\":{\"podIP\":\"10.1.0.1\"}}");
        assertThat(fact.labels()).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {} | PodDns[policy=ClusterFirst, nameservers=[], searches=[], options=[]]
            {"dnsPolicy":"None","dnsConfig":{"nameservers":["10.0.0.53"],"searches":["a.example"],"options":[{"name":"ndots","value":"2"},{"name":"edns0"}]}} \
              | PodDns[policy=None, nameservers=[10.0.0.53], searches=[a.example], options=[ndots:2, edns0]]
            """)
    void how_pods_ask_for_names_is_read_only_if_wanted(String spec, String expected) throws IOException {
        String pod = "{\"metadata\":{\"name\":\"p\",\"namespace\":\"shop\"},\"spec\":" + spec + ",\"status\":{\"podIP\":\"10.1.0.1\"}}";
        PodFact fact = (PodFact) read(new PodDecoder(WatchScope.everything(true, false), new Known(), interner, complaints), pod);
        assertThat(fact.dns()).hasToString(expected);
        assertThat(((PodFact) read(new PodDecoder(ALL, new Known(), interner, complaints), pod)).dns()).isNull();
    }

    @Test
    void a_service_import() throws IOException {
        Fact fact = read(new ImportDecoder(new Known(), interner, complaints), """
                {"apiVersion":"multicluster.x-k8s.io/v1alpha1","kind":"ServiceImport","metadata":{"name":"far","namespace":"shop"},
                "spec":{"ips":["10.42.0.1"],"type":"ClusterSetIP","ports":[{"name":"http","protocol":"TCP","port":80,"appProtocol":null}]},
                "status":{"clusters":[{"cluster":"east"}]}}""");
        assertThat(fact).isEqualTo(new ImportFact("shop", "far", false, ips("10.42.0.1"), List.of(new PortFact("http", Protocol.TCP, 80))));
        Fact headless = read(new ImportDecoder(new Known(), interner, complaints), 
                "{\"metadata\":{\"name\":\"far\"},\"spec\":{\"type\":\"Headless\"}}");
        assertThat(((ImportFact) headless).headless()).isTrue();
    }

    @Test
    void strings_that_many_facts_share_are_one_object() throws IOException {
        SliceFact one = (SliceFact) slice(ALL, OWN, "\"endpoints\":[{\"addresses\":[\"10.0.0.1\"],\"zone\":\"z1\"}]");
        SliceFact two = (SliceFact) slice(ALL, OWN, "\"endpoints\":[{\"addresses\":[\"10.0.0.2\"],\"zone\":\"z1\"}]");
        assertThat(one.namespace()).isSameAs(two.namespace());
        assertThat(one.service()).isSameAs(two.service());
        assertThat(one.endpoints().getFirst().zone()).isSameAs(two.endpoints().getFirst().zone());
    }

    /** The API server takes any of these as a label, and the last as the name of an import. */
    @ParameterizedTest
    @ValueSource(strings = {"a..b", "web.", "Web", "a_b", "a.b", "x123456789x123456789x123456789x123456789x123456789x123456789x1234"})
    void what_cannot_be_the_name_of_a_service_is_left_out_and_named(String name) throws IOException {
        assertThat(slice(ALL, "{\"kubernetes.io/service-name\":\"" + name + "\"}", "\"endpoints\":[]")).isNull();
        assertThat(slice(ALL, "{\"multicluster.kubernetes.io/service-name\":\"" + name + "\",\"multicluster.kubernetes.io/source-cluster\":\"e\"}",
                "\"endpoints\":[]")).isNull();
        String named = "{\"metadata\":{\"name\":\"" + name + "\",\"namespace\":\"shop\"}}";
        assertThat(read(new ImportDecoder(new Known(), interner, complaints), named)).isNull();
        assertThat(read(new ServiceDecoder(ALL, new Known(), interner, complaints), named)).isNull();
        assertThat(read(new NamespaceDecoder(new Known(), interner, complaints), named)).isNull();
        assertThat(log.all()).hasSize(5).allMatch(line -> line.contains("\"" + name + "\" is not a name that a service can have"));
        assertThat(complaints.count(Resource.SLICES)).isEqualTo(2);
        assertThat(complaints.count(Resource.IMPORTS)).isEqualTo(1);
    }

    @Test
    void a_cluster_that_cannot_be_a_part_of_a_name_is_named() throws IOException {
        String labels = "{\"multicluster.kubernetes.io/service-name\":\"far\",\"multicluster.kubernetes.io/source-cluster\":\"%s\"}";
        assertThat(slice(ALL, labels.formatted("eu..west"), "\"endpoints\":[]")).isNull();
        assertThat(slice(ALL, labels.formatted("eu.west"), "\"endpoints\":[]")).isNotNull();
        assertThat(log.all()).singleElement().asString().contains("\"eu..west\" cannot be a part of a name");
    }
}
