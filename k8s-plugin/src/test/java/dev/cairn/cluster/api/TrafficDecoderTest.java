package dev.cairn.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonParser;
import dev.cairn.cluster.WatchScope;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.EndpointHints;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Interner;
import dev.cairn.facts.NodeFact;
import dev.cairn.facts.PodDns;
import dev.cairn.facts.PodFact;
import dev.cairn.facts.RangeFact;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.facts.TrafficFact;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What only a proxy wants, from JSON and from protobuf (numbers of fields by generated.proto of k8s.io/api), and that nobody else gets it. */
class TrafficDecoderTest {
    private static final WatchScope TRAFFIC = WatchScope.traffic("n1");

    private final Interner interner = new Interner();
    private final Complaints complaints = new Complaints(new Lines());

    private static Fact read(ObjectDecoder decoder, String json) throws IOException {
        try (JsonParser parser = Json.FACTORY.createParser(json.getBytes(StandardCharsets.UTF_8))) {
            parser.nextToken();
            decoder.read(parser);
            return decoder.fact();
        }
    }

    private static Fact read(ObjectDecoder decoder, ProtoMessage message) throws IOException {
        Proto proto = new Proto();
        proto.reset(message.toByteArray(), 0, message.toByteArray().length);
        decoder.read(proto);
        return decoder.fact();
    }

    private static List<Address> ips(String... texts) {
        return Stream.of(texts).map(text -> Objects.requireNonNull(Address.parse(text))).toList();
    }

    private static final String SERVICE = """
            {"metadata":{"name":"web","namespace":"shop","annotations":{"other":"x","cairn.dev/ipvs-scheduler":"lc"}},"spec":{"type":"LoadBalancer","clusterIP":"10.96.0.1","sessionAffinity":"ClientIP",
            "sessionAffinityConfig":{"clientIP":{"timeoutSeconds":60}},"loadBalancerSourceRanges":["10.0.0.0/8"," 192.0.2.0/24"],
            "externalTrafficPolicy":"Local","internalTrafficPolicy":"Local","healthCheckNodePort":31000},
            "status":{"loadBalancer":{"ingress":[{"ip":"203.0.113.1"},{"ipMode":"Proxy","ip":"203.0.113.2"},{"ip":"203.0.113.3","ipMode":"VIP"}]}}}""";

    private static final TrafficFact EXPECTED = new TrafficFact(TrafficFact.Type.LOAD_BALANCER, true, true, 60, List.of("10.0.0.0/8", " 192.0.2.0/24"),
            31000, ips("203.0.113.1", "203.0.113.3"), "lc");

    @Test
    void policies_of_a_service() throws IOException {
        ServiceFact fact = (ServiceFact) read(new ServiceDecoder(TRAFFIC, new Known(), interner, complaints), SERVICE);
        assertThat(fact.traffic()).isEqualTo(EXPECTED);
        assertThat(fact.ingressIps()).as("names are made of all").isEqualTo(ips("203.0.113.1", "203.0.113.2", "203.0.113.3"));
        ServiceFact plain = (ServiceFact) read(new ServiceDecoder(WatchScope.SERVICES_AND_SLICES, new Known(), interner, complaints), SERVICE);
        assertThat(plain.traffic()).isNull();
    }

    @Test
    void policies_of_a_service_in_protobuf() throws IOException {
        ProtoMessage spec = new ProtoMessage().text(3, "10.96.0.1").text(4, "LoadBalancer").text(7, "ClientIP").text(9, "10.0.0.0/8").text(9, " 192.0.2.0/24")
                .text(11, "Local").number(12, 31000).message(14, new ProtoMessage().message(1, new ProtoMessage().number(1, 60))).text(22, "Local");
        ProtoMessage ingress = new ProtoMessage()
                .message(1, new ProtoMessage().text(1, "203.0.113.1"))
                .message(1, new ProtoMessage().text(1, "203.0.113.2").text(3, "Proxy"))
                .message(1, new ProtoMessage().text(1, "203.0.113.3").text(3, "VIP"));
        ProtoMessage meta = new ProtoMessage().text(1, "web").text(3, "shop").message(12, new ProtoMessage().text(1, "other").text(2, "x"))
                .message(12, new ProtoMessage().text(1, TrafficFact.SCHEDULER).text(2, "lc"));
        ProtoMessage service = new ProtoMessage().message(1, meta).message(2, spec).message(3, new ProtoMessage().message(1, ingress));
        ServiceFact fact = (ServiceFact) read(new ServiceDecoder(TRAFFIC, new Known(), interner, complaints), service);
        assertThat(fact.traffic()).isEqualTo(EXPECTED);
    }

    @Test
    void who_wants_names_and_traffic_is_told_all_services_and_whose_traffic_is_anothers() throws IOException {
        WatchScope both = WatchScope.SERVICES_AND_SLICES.withTraffic("n1");
        ServiceFact fact = (ServiceFact) read(new ServiceDecoder(both, new Known(), interner, complaints), SERVICE);
        assertThat(fact.traffic()).isEqualTo(EXPECTED);
        ProtoMessage meta = new ProtoMessage().text(1, "web").text(3, "shop")
                .message(11, new ProtoMessage().text(1, "service.kubernetes.io/service-proxy-name").text(2, "another"));
        ProtoMessage service = new ProtoMessage().message(1, meta).message(2, new ProtoMessage().text(3, "10.96.0.1").text(4, "ClusterIP"));
        for (WatchScope scope : List.of(both, WatchScope.SERVICES_AND_SLICES)) {
            ServiceFact theirs = (ServiceFact) read(new ServiceDecoder(scope, new Known(), interner, complaints), service);
            assertThat(theirs.traffic()).isNull();
            assertThat(theirs.clusterIps()).isEqualTo(ips("10.96.0.1"));
        }
        SliceFact slice = (SliceFact) read(new SliceDecoder(both, new Known(), interner, complaints), SLICE);
        assertThat(slice.endpoints()).extracting(EndpointFact::further).as("names list what traffic does not go to").containsExactly(false, true, false);
        assertThat(slice.endpoints().getFirst()).isEqualTo(ENDPOINTS.getFirst());
        assertThat(Target.of(both)).extracting(Target::plural, Target::labels, Target::fields).containsExactly(
                tuple("namespaces", "", ""), tuple("services", "", ""), tuple("endpointslices", "", ""), tuple("nodes", "", "metadata.name=n1"),
                tuple("servicecidrs", "", ""));
    }

    private static final String SLICE = """
            {"metadata":{"name":"web-1","namespace":"shop","labels":{"kubernetes.io/service-name":"web"}},"addressType":"IPv4","endpoints":[
            {"addresses":["10.1.0.1","10.1.0.9"],"conditions":{"ready":false,"serving":true,"terminating":true},"nodeName":"n1",
             "hints":{"forZones":[{"name":"z1"},{"name":"z2"}],"forNodes":[{"name":"n1"}]}},
            {"addresses":["10.1.0.2"],"conditions":{"serving":false}}]}""";

    private static final List<EndpointFact> ENDPOINTS = List.of(
            new EndpointFact(ips("10.1.0.1").getFirst(), false, "", "", "n1", "", true, true, new EndpointHints(List.of("z1", "z2"), List.of("n1"))),
            new EndpointFact(ips("10.1.0.2").getFirst(), true, "", "", "", "", false, false, EndpointHints.NONE));

    @Test
    void conditions_and_hints_of_endpoints() throws IOException {
        SliceFact fact = (SliceFact) read(new SliceDecoder(TRAFFIC, new Known(), interner, complaints), SLICE);
        assertThat(fact.endpoints()).isEqualTo(ENDPOINTS);
        SliceFact plain = (SliceFact) read(new SliceDecoder(WatchScope.SERVICES_AND_SLICES, new Known(), interner, complaints), SLICE);
        assertThat(plain.endpoints()).hasSize(3).allSatisfy(endpoint -> {
            assertThat(endpoint.serving()).isTrue();
            assertThat(endpoint.terminating()).isFalse();
            assertThat(endpoint.hints()).isSameAs(EndpointHints.NONE);
        });
    }

    @Test
    void conditions_and_hints_of_endpoints_in_protobuf() throws IOException {
        ProtoMessage hints = new ProtoMessage().message(1, new ProtoMessage().text(1, "z1")).message(1, new ProtoMessage().text(1, "z2")).message(2, new ProtoMessage().text(1, "n1"));
        ProtoMessage first = new ProtoMessage().text(1, "10.1.0.1").text(1, "10.1.0.9").message(2, new ProtoMessage().number(1, 0).number(2, 1).number(3, 1))
                .text(6, "n1").message(8, hints);
        ProtoMessage second = new ProtoMessage().text(1, "10.1.0.2").message(2, new ProtoMessage().number(2, 0));
        ProtoMessage meta = new ProtoMessage().text(1, "web-1").text(3, "shop").message(11, new ProtoMessage().text(1, "kubernetes.io/service-name").text(2, "web"));
        ProtoMessage slice = new ProtoMessage().message(1, meta).message(2, first).message(2, second).text(4, "IPv4");
        SliceFact fact = (SliceFact) read(new SliceDecoder(TRAFFIC, new Known(), interner, complaints), slice);
        assertThat(fact.endpoints()).isEqualTo(ENDPOINTS);
    }

    @Test
    void a_node_that_is_about_to_go() throws IOException {
        NodeFact expected = new NodeFact("n1", "z1", ips("192.168.0.2", "203.0.113.2"), List.of("10.1.0.0/24"), true);
        Fact fact = read(new NodeDecoder(new Known(), interner, complaints), """
                {"metadata":{"name":"n1","labels":{"topology.kubernetes.io/zone":"z1","other":"x"}},
                "spec":{"podCIDR":"10.1.0.0/24","podCIDRs":["10.1.0.0/24"],"taints":[{"key":"ToBeDeletedByClusterAutoscaler","effect":"NoSchedule"}]},
                "status":{"capacity":{"cpu":"2"},"addresses":[{"type":"ExternalIP","address":"203.0.113.2"},{"type":"InternalIP","address":"192.168.0.2"},
                {"type":"Hostname","address":"n1"}]}}""");
        assertThat(fact).isEqualTo(expected);
        ProtoMessage meta = new ProtoMessage().text(1, "n1").message(11, new ProtoMessage().text(1, "topology.kubernetes.io/zone").text(2, "z1"));
        ProtoMessage spec = new ProtoMessage().text(1, "10.1.0.0/24").message(5, new ProtoMessage().text(1, "ToBeDeletedByClusterAutoscaler").text(3, "NoSchedule"))
                .text(7, "10.1.0.0/24");
        ProtoMessage status = new ProtoMessage().message(5, new ProtoMessage().text(1, "ExternalIP").text(2, "203.0.113.2"))
                .message(5, new ProtoMessage().text(1, "InternalIP").text(2, "192.168.0.2"));
        Fact same = read(new NodeDecoder(new Known(), interner, complaints), new ProtoMessage().message(1, meta).message(2, spec).message(3, status));
        assertThat(same).isEqualTo(expected);
    }

    @Test
    void ranges_of_cluster_addresses() throws IOException {
        RangeFact expected = new RangeFact("kubernetes", List.of("10.96.0.0/12", "fd00::/108"));
        assertThat(read(new RangeDecoder(new Known(), interner, complaints),
                "{\"metadata\":{\"name\":\"kubernetes\"},\"spec\":{\"cidrs\":[\"10.96.0.0/12\",\"fd00::/108\"]},\"status\":{}}")).isEqualTo(expected);
        ProtoMessage range = new ProtoMessage().message(1, new ProtoMessage().text(1, "kubernetes")).message(2, new ProtoMessage().text(1, "10.96.0.0/12").text(1, "fd00::/108"));
        assertThat(read(new RangeDecoder(new Known(), interner, complaints), range)).isEqualTo(expected);
    }

    @Test
    void how_a_pod_asks_for_names_is_read_from_protobuf_too() throws IOException {
        ProtoMessage config = new ProtoMessage().text(1, "10.0.0.53").text(2, "a.example").text(2, "b.example")
                .message(3, new ProtoMessage().text(1, "ndots").text(2, "2"));
        ProtoMessage spec = new ProtoMessage().text(6, "None").text(10, "node-a").message(26, config);
        ProtoMessage pod = new ProtoMessage().message(1, new ProtoMessage().text(1, "p").text(3, "shop")).message(2, spec)
                .message(3, new ProtoMessage().text(6, "10.1.0.1"));
        PodFact fact = (PodFact) read(new PodDecoder(WatchScope.everything(true, false), new Known(), interner, complaints), pod);
        assertThat(fact.dns()).isEqualTo(new PodDns("None", List.of("10.0.0.53"), List.of("a.example", "b.example"), List.of("ndots:2")));
    }
}
