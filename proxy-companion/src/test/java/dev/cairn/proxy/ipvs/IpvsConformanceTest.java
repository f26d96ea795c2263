package dev.cairn.proxy.ipvs;

import static dev.cairn.proxy.conformance.Facts.list;
import static dev.cairn.proxy.conformance.Facts.map;
import static dev.cairn.proxy.conformance.Facts.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.EndpointHints;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.facts.TrafficFact;
import dev.cairn.proxy.conformance.Facts;
import dev.cairn.proxy.conformance.Facts.Case;
import dev.cairn.proxy.conformance.ProxyConformanceTest;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.ApplyFailure;
import dev.cairn.proxy.sync.Backend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the backend to the cases that are about virtual servers and what goes with them. Sets have other names than kube-proxy's. */
class IpvsConformanceTest {
    private final FakeKernel kernel = new FakeKernel();
    private final AtomicLong clock = new AtomicLong();

    static Stream<Case> ipvsAlone() {
        return Facts.cases().stream().filter(one -> one.modes().equals(List.of("ipvs")));
    }

    static Stream<Case> withRealServers() {
        return Facts.cases().stream().filter(one -> one.expect().containsKey("ipvsRealServers"));
    }

    static Stream<Case> withFlows() {
        return Facts.cases().stream().filter(one -> one.modes().contains("ipvs") && one.expect().containsKey("flows"));
    }

    private IpvsBackend backend(Case one) {
        List<AddressRange> excluded = texts(one.config().get("excludeCIDRs")).stream().map(AddressRange::parse).toList();
        return new IpvsBackend(kernel, Set.of(IpFamily.IPV4), new IpvsOptions(
                "rr", excluded, false, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofMinutes(15), 14), clock::get);
    }

    private static ClusterModel model(Case one) {
        List<Address> own = Stream.of(one.config().get("nodeIPs")).filter(Objects::nonNull).flatMap(ips -> texts(ips).stream()).map(Address::parse).toList();
        ClusterModel model = new ClusterModel(own.isEmpty() ? ProxyConformanceTest.node() : new NodeView(Facts.NODE, "", own, own, List.of()), _ -> {});
        one.services().forEach(model::put);
        one.slices().forEach(model::put);
        return model;
    }

    private static Backend.Desired desired(Case one, ClusterModel model) {
        TrafficOptions options = ProxyConformanceTest.options(one, "ipvs");
        return new Backend.Desired(model.plans(), model.node(), options);
    }

    private IpvsBackend apply(Case one, ClusterModel model) throws ApplyFailure {
        IpvsBackend backend = backend(one);
        backend.apply(desired(one, model), model.replan());
        return backend;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("withRealServers")
    void a_policy_chooses_real_servers(Case one) throws ApplyFailure {
        apply(one, model(one));
        assertThat(kernel.reals.values()).allSatisfy(those -> assertThat(those).hasSize((Integer) one.expect().get("ipvsRealServers")));
        assertThat(kernel.reals).isNotEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("withFlows")
    void virtual_servers_lead_where_packets_should_go(Case one) throws ApplyFailure {
        apply(one, model(one));
        for (Object flow : list(one.expect().get("flows"))) {
            Map<String, Object> expected = map(flow);
            List<String> endpoints = new ArrayList<>();
            kernel.reals.forEach((key, reals) -> {
                if (key.at().toString().equals(expected.get("to")) && key.protocol().name().equals(expected.get("protocol"))) {
                    reals.keySet().stream().sorted().forEach(endpoint -> endpoints.add(endpoint.toString()));
                }
            });
            assertThat(endpoints).as(String.valueOf(expected.get("name"))).isEqualTo(texts(expected.get("endpoints")));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ipvsAlone")
    void the_kernel_gets_what_it_should(Case one) throws ApplyFailure {
        if (one.id().startsWith("ipvs-graceful-")) {
            graceful(one);
        } else if (one.id().equals("ipvs-exclude-cidrs")) {
            excluded(one);
        } else if (one.id().equals("ipvs-accept-order")) {
            order(one);
        } else {
            apply(one, one.id().equals("ipvs-loopback-set-all-local") ? loopback(one) : model(one));
            int checked = servers(map(one.expect().get("ipvs"))) + sets(map(one.expect().get("ipsets"))) + rules(one, map(one.expect().get("iptables")));
            assertThat(checked).as("what was looked at").isPositive();
        }
    }

    private static String text(ServerKey key) {
        return key.at() + "/" + key.protocol();
    }

    private int servers(Map<String, Object> expected) {
        Map<String, List<String>> found = new TreeMap<>();
        kernel.reals.forEach((key, reals) -> found.put(text(key), reals.keySet().stream().sorted().map(Endpoint::toString).toList()));
        Map<String, Object> wanted = map(expected.get("virtualServers"));
        wanted.forEach((place, endpoints) -> assertThat(found).containsEntry(place, texts(endpoints)));
        if (expected.get("weights") instanceof Integer weight) {
            kernel.reals.values().forEach(reals -> assertThat(reals.values()).extracting(RealServer::weight).containsOnly(weight));
        }
        if (expected.get("scheduler") != null) {
            assertThat(kernel.servers.values()).extracting(Server::scheduler).containsOnly((String) expected.get("scheduler"));
        }
        Map<String, Object> every = map(expected.get("everyVirtualServer"));
        if (!every.isEmpty()) {
            assertThat(kernel.servers).isNotEmpty();
            assertThat(kernel.servers.values()).allSatisfy(server -> {
                assertThat(server.flags() & Server.PERSISTENT).isEqualTo(Server.PERSISTENT);
                assertThat(server.seconds()).isEqualTo(every.get("timeoutSeconds"));
            });
        }
        return wanted.size() + every.size();
    }

    /** Where kube-proxy has what we have in a set. Node ports are places like others with us. */
    private static HelperSet set(String name) {
        return switch (name) {
            case "KUBE-LOAD-BALANCER-FW" -> HelperSet.FIREWALL;
            case "KUBE-LOAD-BALANCER-SOURCE-CIDR" -> HelperSet.ALLOW;
            case "KUBE-LOAD-BALANCER-LOCAL", "KUBE-NODE-PORT-LOCAL-TCP" -> HelperSet.LOCAL;
            case "KUBE-HEALTH-CHECK-NODE-PORT" -> HelperSet.HEALTH;
            case "KUBE-LOOP-BACK" -> HelperSet.HAIRPIN;
            default -> throw new IllegalArgumentException(name);
        };
    }

    private List<String> elements(HelperSet set) {
        return kernel.elements.stream().filter(element -> element.set() == set).map(IptablesHelper::text).sorted().toList();
    }

    private int sets(Map<String, Object> expected) {
        expected.forEach((name, value) -> {
            List<String> wanted = texts(value);
            if (name.equals("KUBE-LOAD-BALANCER") || name.equals("KUBE-NODE-PORT-TCP")) {
                // All places of a kind; with us each is in one of two sets, by its policy.
                List<String> all = new ArrayList<>(elements(HelperSet.LOCAL));
                all.addAll(elements(HelperSet.MASQUERADE));
                assertThat(wanted).allSatisfy(element -> assertThat(all).as(name).anyMatch(place -> place.equals(element) || place.endsWith(",tcp:" + element)));
            } else if (name.equals("KUBE-NODE-PORT-LOCAL-TCP")) {
                assertThat(elements(set(name))).allSatisfy(place -> assertThat(wanted).as(name).anyMatch(port -> place.endsWith(",tcp:" + port))).isNotEmpty();
            } else if (name.equals("KUBE-LOAD-BALANCER-LOCAL")) {
                assertThat(elements(set(name))).as(name).containsAll(wanted);
            } else {
                assertThat(elements(set(name))).as(name).isEqualTo(wanted);
            }
        });
        return expected.size();
    }

    /** What kube-proxy's rules say, in the words of ours, in both ways that we have. */
    private int rules(Case one, Map<String, Object> expected) {
        HelperRules rules = HelperRules.of(Set.of(IpFamily.IPV4), ProxyConformanceTest.options(one, "ipvs"), 14);
        Map<String, List<String>> nft = NftHelper.rules(IpFamily.IPV4, rules);
        Map<String, IptablesHelper.Chain> chains = IptablesHelper.chains(IpFamily.IPV4, rules);
        expected.keySet().forEach(chain -> {
            switch (chain) {
                case "KUBE-PROXY-FIREWALL", "KUBE-SOURCE-RANGES-FIREWALL" -> {
                    assertThat(nft.get("filter-incoming").getFirst()).contains("@firewall-places ", "!= @allowed-sources drop");
                    assertThat(chains.get("CAIRN-IPVS-FILTER-IN").rules().get(1)).contains("cairn-firewall-places dst,dst", "! --match-set cairn-allowed-sources", "-j DROP");
                }
                case "KUBE-NODE-PORT", "KUBE-LOAD-BALANCER" -> {
                    // What stays on the node keeps its source: only what may go anywhere is marked.
                    assertThat(nft.get("mark-incoming")).noneMatch(rule -> rule.contains("@local-places")).anyMatch(rule -> rule.contains("@masquerade-places meta mark set"));
                    assertThat(chains.get("CAIRN-IPVS-MARK-IN").rules()).noneMatch(rule -> rule.contains("cairn-local-places"))
                            .anyMatch(rule -> rule.contains("cairn-masquerade-places dst,dst -j MARK"));
                    assertThat(chains.get("CAIRN-IPVS-PORTS").rules()).contains("-p tcp -m set --match-set cairn-health-ports dst -j ACCEPT");
                }
                default -> fail("nobody knows how to check " + chain);
            }
        });
        return expected.size();
    }

    /** Nothing that is to be marked is accepted before: with us rules that mark do nothing else, and those that accept are in another chain. */
    private void order(Case one) throws ApplyFailure {
        apply(one, model(one));
        assertThat(list(map(one.expect().get("iptables")).get("KUBE-SERVICES"))).last().asString().endsWith("ACCEPT");
        HelperRules rules = HelperRules.of(Set.of(IpFamily.IPV4), ProxyConformanceTest.options(one, "ipvs"), 14);
        Map<String, IptablesHelper.Chain> chains = IptablesHelper.chains(IpFamily.IPV4, rules);
        for (String chain : List.of("CAIRN-IPVS-MARK-IN", "CAIRN-IPVS-MARK-OWN")) {
            assertThat(chains.get(chain).rules()).isNotEmpty().allMatch(rule -> rule.endsWith("-j MARK --or-mark 0x4000"));
        }
        assertThat(elements(HelperSet.CLUSTER)).contains("10.20.30.40,tcp:80", "10.20.30.41,tcp:80", "10.20.30.42,tcp:80");
        assertThat(elements(HelperSet.MASQUERADE)).contains("5.6.7.8,tcp:80", "1.2.3.4,tcp:80");
    }

    private static ClusterModel loopback(Case one) {
        List<EndpointFact> endpoints = new ArrayList<>();
        for (String text : texts(one.given().get("localEndpoints"))) {
            String[] words = text.split(" ", 2);
            boolean ready = words[1].equals("ready");
            endpoints.add(new EndpointFact(Address.parse(words[0]), ready, "", "", Facts.NODE, "", !words[1].equals("not serving"), !ready, EndpointHints.NONE));
        }
        texts(one.given().get("remote")).forEach(text -> endpoints.add(new EndpointFact(Address.parse(text), true, "", "", "other", "")));
        return model(Protocol.TCP, endpoints);
    }

    private static ClusterModel model(Protocol protocol, List<EndpointFact> endpoints) {
        ClusterModel model = new ClusterModel(ProxyConformanceTest.node(), _ -> {});
        model.put(new ServiceFact("ns", "svc", ServiceFact.Kind.CLUSTER_IP, TestCluster.addresses("10.20.30.41"), List.of(new PortFact("p", protocol, 80)), "",
                List.of(), List.of(), List.of(), TrafficFact.PLAIN));
        model.put(slice(protocol, endpoints));
        return model;
    }

    private static SliceFact slice(Protocol protocol, List<EndpointFact> endpoints) {
        return new SliceFact("ns", "svc-1", "svc", "", List.of(new PortFact("p", protocol, 80)), endpoints, 0);
    }

    private void graceful(Case one) throws ApplyFailure {
        boolean returns = one.id().equals("ipvs-graceful-endpoint-returns");
        Protocol protocol = returns ? Protocol.TCP : Protocol.valueOf((String) one.given().get("protocol"));
        int connections = returns ? 1 : (Integer) one.given().get("activeConn") + (Integer) one.given().get("inactiveConn");
        Endpoint real = new Endpoint(TestCluster.addresses("10.0.0.1").getFirst(), 80);
        List<EndpointFact> endpoints = List.of(new EndpointFact(real.address(), true, "", "", "", ""));
        ServerKey key = new ServerKey(protocol, new Endpoint(TestCluster.addresses("10.20.30.41").getFirst(), 80));
        ClusterModel model = model(protocol, endpoints);
        IpvsBackend backend = apply(one, model);
        kernel.connections(key, real, connections);
        model.put(slice(protocol, List.of()));
        backend.apply(desired(one, model), model.replan());
        if (returns) {
            assertThat(kernel.reals.get(key)).containsEntry(real, new RealServer(0, 1));
            model.put(slice(protocol, endpoints));
            backend.apply(desired(one, model), model.replan());
            // Given its weight back, where kube-proxy deletes and adds it: its connections stay.
            assertThat(kernel.reals.get(key)).containsEntry(real, new RealServer(1, 1));
            pass(backend, Duration.ofHours(1));
            assertThat(kernel.reals.get(key)).as("no longer to go").containsKey(real);
        } else if (((String) one.expect().get("realServer")).startsWith("weight set to 0, kept")) {
            assertThat(kernel.reals.get(key)).containsEntry(real, new RealServer(0, connections));
            pass(backend, Duration.ofMinutes(1));
            assertThat(kernel.reals.get(key)).as("after a minute").containsKey(real);
            kernel.connections(key, real, 0);
            pass(backend, Duration.ofMinutes(1));
            assertThat(kernel.reals.get(key)).as("without connections").isEmpty();
        } else {
            assertThat(one.expect()).containsEntry("realServer", "deleted at once");
            assertThat(kernel.reals.get(key)).isEmpty();
        }
    }

    private void pass(IpvsBackend backend, Duration time) throws ApplyFailure {
        clock.addAndGet(time.toNanos());
        backend.isDisturbed();
    }

    /** Even one that looks like ours, and has an address on our link. */
    private void excluded(Case one) throws ApplyFailure {
        Address address = TestCluster.addresses("4.4.4.4").getFirst();
        ServerKey foreign = new ServerKey(Protocol.UDP, new Endpoint(address, 8080));
        assertThat(one.given()).containsEntry("foreignVirtualServer", text(foreign));
        kernel.servers.put(foreign, Server.of("rr", 0));
        kernel.addresses.add(address);
        IpvsBackend backend = apply(one, model(one));
        backend.cleanUp();
        assertThat(kernel.servers.containsKey(foreign)).isEqualTo(!(Boolean) one.expect().get("deleted"));
        assertThat(kernel.addresses).contains(address);
    }
}
