package dev.cairn.proxy.conformance;

import static dev.cairn.proxy.conformance.Facts.map;
import static dev.cairn.proxy.conformance.Facts.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.proxy.conformance.Facts.Case;
import dev.cairn.proxy.nft.NftBackend;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.sync.Backend;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What kube-proxy says by the names and rules of a chain for each service port, said of our tables, where a service port has elements in shared
 * maps instead: each has its own, whatever others are called, and they lead to its endpoints and no others.
 */
final class NftLayoutChecks {
    private static final Pattern ENDPOINT = Pattern.compile("dnat to (\\S+):(\\d+)|\\d+ : (\\S+) \\. (\\d+)");
    private static final Pattern ELEMENT = Pattern.compile("(\\S+ \\. (?:tcp|udp|sctp) \\. \\d+) \\. (\\d+) : (\\S+ \\. \\d+)");

    private NftLayoutChecks() {}

    private static String render(Case one, ClusterModel model) {
        return NftBackend.of(Set.of(IpFamily.values()), 14)
                .render(new Backend.Desired(model.plans(), model.node(), ProxyConformanceTest.options(one, "nftables")));
    }

    /** The endpoints of each place, by their numbers. */
    private static Map<String, Map<Integer, String>> endpoints(String script) {
        return ELEMENT.matcher(script).results().collect(Collectors.groupingBy(element -> element.group(1),
                Collectors.toMap(element -> Integer.parseInt(element.group(2)), element -> element.group(3))));
    }

    /** A name that nobody else has makes for a chain that nobody else has: so must the place. */
    static void ownEntries(Case one) {
        String name = (String) one.given().get("name");
        assertThat(String.valueOf(one.expect().get("chainNameBase"))).endsWith("-" + name);
        String[] parts = name.split("/", -1);
        ClusterModel model = new ClusterModel(ProxyConformanceTest.node(), _ -> {});
        put(model, parts, "10.96.0.1", "10.1.0.1");
        put(model, new String[] {parts[0], parts[1] + "-twin", parts[2], parts[3]}, "10.96.0.2", "10.1.0.2");
        model.replan();
        String script = render(one, model);
        assertThat(endpoints(script)).isEqualTo(Map.of(
                "10.96.0.1 . " + parts[2] + " . 80", Map.of(0, "10.1.0.1 . 8080"),
                "10.96.0.2 . " + parts[2] + " . 80", Map.of(0, "10.1.0.2 . 8080")));
        assertThat(script).as("the same each time").isEqualTo(render(one, model))
                .as("whatever services are called").doesNotContain(parts[1]);
    }

    private static void put(ClusterModel model, String[] parts, String address, String endpoint) {
        Protocol protocol = Protocol.valueOf(parts[2].toUpperCase(Locale.ROOT));
        model.put(new ServiceFact(parts[0], parts[1], ServiceFact.Kind.CLUSTER_IP, List.of(Objects.requireNonNull(Address.parse(address))),
                List.of(new PortFact(parts[3], protocol, 80)), "", List.of(), List.of(), List.of()));
        model.put(new SliceFact(parts[0], parts[1] + "-1", parts[1], "", List.of(new PortFact(parts[3], protocol, 8080)),
                List.of(new EndpointFact(Objects.requireNonNull(Address.parse(endpoint)), true, "", "", "", "")), 0));
    }

    /** The endpoints of a rule are those of the place, and drawn from as many numbers. */
    static void endpoints(Case one) {
        Map<String, Object> chains = map(one.expect().get("nftables"));
        List<String> expected = chains.values().stream().flatMap(rules -> texts(rules).stream())
                .flatMap(rule -> ENDPOINT.matcher(rule).results()).map(NftLayoutChecks::endpoint).toList();
        assertThat(expected).isNotEmpty();
        ClusterModel model = ProxyConformanceTest.model(one);
        String script = render(one, model);
        ServiceFact service = one.services().findFirst().orElseThrow();
        String place = service.clusterIps().getFirst() + " . tcp . " + service.ports().getFirst().port();
        assertThat(endpoints(script)).containsOnlyKeys(place);
        assertThat(endpoints(script).get(place).values()).containsExactlyInAnyOrderElementsOf(expected);
        String family = service.clusterIps().getFirst().isIpv4() ? "ip" : "ip6";
        assertThat(script).contains(
                "add element " + family + " cairn-proxy service-ips { " + place + " : goto tcp-lb-" + expected.size() + " }",
                "add rule " + family + " cairn-proxy tcp-lb-" + expected.size() + " dnat " + family + " addr . port to " + family
                        + " daddr . meta l4proto . th dport . numgen random mod " + expected.size() + " map @endpoints-tcp");
    }

    private static String endpoint(MatchResult match) {
        String address = match.group(1) == null ? match.group(3) : match.group(1);
        return address.replaceAll("[\\[\\]]", "") + " . " + (match.group(2) == null ? match.group(4) : match.group(2));
    }
}
