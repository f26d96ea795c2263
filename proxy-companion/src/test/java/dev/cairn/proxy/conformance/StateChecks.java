package dev.cairn.proxy.conformance;

import static dev.cairn.proxy.conformance.Facts.flag;
import static dev.cairn.proxy.conformance.Facts.list;
import static dev.cairn.proxy.conformance.Facts.map;
import static dev.cairn.proxy.conformance.Facts.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.EndpointHints;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.proxy.conformance.Facts.Case;
import dev.cairn.proxy.health.HealthAnswer;
import dev.cairn.proxy.health.NodeHealth;
import dev.cairn.proxy.health.ServiceHealth;
import dev.cairn.proxy.plan.ClusterModel;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.EndpointSets;
import dev.cairn.proxy.plan.EndpointState;
import dev.cairn.proxy.plan.Frontend;
import dev.cairn.proxy.plan.PortPlan;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.StaleFlows;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/** Checks what is planned, for each kind of case. */
final class StateChecks {
    private StateChecks() {}

    private static Endpoint endpoint(String text) {
        int colon = text.lastIndexOf(':');
        return new Endpoint(Objects.requireNonNull(Address.parse(text.substring(0, colon))), Integer.parseInt(text.substring(colon + 1)));
    }

    private static List<String> textsOf(List<Endpoint> endpoints) {
        return endpoints.stream().map(Endpoint::toString).toList();
    }

    static void categorize(Case one) {
        Map<String, Object> given = one.given();
        List<EndpointState> states = new ArrayList<>();
        for (Object entry : list(given.get("endpoints"))) {
            Map<String, Object> endpoint = map(entry);
            boolean ready = flag(endpoint, "ready", false);
            states.add(new EndpointState(endpoint((String) endpoint.get("endpoint")), ready, flag(endpoint, "serving", ready),
                    flag(endpoint, "terminating", false), flag(endpoint, "isLocal", false),
                    new EndpointHints(texts(endpoint.get("zoneHints")), texts(endpoint.get("nodeHints")))));
        }
        EndpointSets.Need need = new EndpointSets.Need(
                flag(given, "internalPolicyLocal", false), flag(given, "externalPolicyLocal", false), flag(given, "externallyAccessible", false));
        EndpointSets sets = EndpointSets.choose(states, need, String.valueOf(given.getOrDefault("nodeName", "node")),
                String.valueOf(given.getOrDefault("nodeZone", "")));
        Map<String, Object> expect = one.expect();
        assertThat(textsOf(sets.cluster())).as("cluster").isEqualTo(texts(expect.get("clusterEndpoints")));
        assertThat(textsOf(sets.local())).as("local").isEqualTo(texts(expect.get("localEndpoints")));
        assertThat(textsOf(sets.reachable())).as("reachable").isEqualTo(texts(expect.get("allReachable")));
        assertThat(sets.any()).as("any").isEqualTo(expect.get("hasAnyEndpoints"));
    }

    static void servicePorts(Case one, IpFamily family) {
        Map<String, PortPlan> found = new TreeMap<>();
        ProxyConformanceTest.model(one).plans().values().forEach(plan -> plan.ports().stream()
                .filter(port -> port.family() == family)
                .forEach(port -> found.put(plan.name() + ":" + port.name() + "/" + port.protocol(), port)));
        Map<String, Object> expected = map(one.expect().get("servicePorts"));
        assertThat(found.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, value) -> {
            PortPlan port = Objects.requireNonNull(found.get(name));
            Map<String, Object> fields = value instanceof String vip ? Map.of("vip", vip) : map(value);
            if (fields.containsKey("vip")) {
                assertThat(port.frontends().getFirst().place().toString()).isEqualTo(fields.get("vip"));
            }
            if (fields.containsKey("loadBalancerSourceRanges")) {
                assertThat(port.sourceRanges().stream().map(Object::toString)).isEqualTo(texts(fields.get("loadBalancerSourceRanges")));
            }
            for (String key : List.of("externalIPs", "loadBalancerVIPs")) {
                // An address that is both is filtered as the load balancer's.
                assertThat(port.frontends().stream().filter(Frontend::isExternal).map(frontend -> String.valueOf(frontend.place().address())))
                        .containsAll(texts(fields.get(key)));
            }
        });
    }

    private static List<EndpointState> states(List<SliceFact> slices, String portName) {
        ServiceFact service = new ServiceFact("ns", "svc", ServiceFact.Kind.CLUSTER_IP, List.of(Objects.requireNonNull(Address.parse("10.96.0.1"))),
                List.of(new PortFact(portName, Protocol.UDP, 80)), "", List.of(), List.of(), List.of());
        ClusterModel model = new ClusterModel(ProxyConformanceTest.node(), _ -> {});
        model.put(service);
        slices.forEach(model::put);
        model.replan();
        PortPlan port = model.plans().values().iterator().next().ports().getFirst();
        return port.serving().stream().map(endpoint -> new EndpointState(endpoint, port.sets().cluster().contains(endpoint), true, false, false, EndpointHints.NONE)).toList();
    }

    private static SliceFact slice(String name, int port, List<EndpointFact> endpoints) {
        return new SliceFact("ns", name, "svc", "", List.of(new PortFact("p", Protocol.UDP, port)), endpoints, 0);
    }

    static void endpoints(Case one) {
        switch (one.id()) {
            case "endpointsmap-terminating-does-not-replace-live" -> {
                List<EndpointFact> both = list(one.given().get("sameIPPort")).stream().map(Facts::map).map(state -> new EndpointFact(
                        Objects.requireNonNull(Address.parse("10.0.0.1")), flag(state, "ready", true), "", "", "", "", true,
                        flag(state, "terminating", false), EndpointHints.NONE)).toList();
                assertThat(states(List.of(slice("a", 80, both)), "p")).extracting(EndpointState::ready).containsExactly(true);
                assertThat(states(List.of(slice("a", 80, both.reversed())), "p")).extracting(EndpointState::ready).containsExactly(true);
            }
            case "endpointsmap-nil-conditions" -> {
                EndpointFact bare = Facts.slice(Map.of("namespace", "n", "name", "s", "service", "v",
                        "endpoints", List.of(Map.of("addresses", List.of("10.0.0.1"))))).endpoints().getFirst();
                assertThat(List.of(bare.ready(), bare.serving(), bare.terminating())).containsExactly(true, true, false);
            }
            case "endpointslice-wrong-family-ignored" -> {
                EndpointFact six = new EndpointFact(Objects.requireNonNull(Address.parse("fd00::1")), true, "", "", "", "");
                assertThat(states(List.of(slice("a", 80, List.of(six))), "p")).isEmpty();
            }
            case "endpointslice-no-service-label-ignored" -> {
                EndpointFact four = new EndpointFact(Objects.requireNonNull(Address.parse("10.0.0.1")), true, "", "", "", "");
                assertThat(states(List.of(new SliceFact("ns", "a", "", "", List.of(), List.of(four), 0)), "p")).isEmpty();
            }
            default -> {
                List<SliceFact> slices = new ArrayList<>();
                for (Object given : list(one.given().get("slices"))) {
                    for (String text : texts(given)) {
                        String[] words = text.split(" port ", -1);
                        int port = words.length > 1 ? Integer.parseInt(words[1]) : (Integer) one.given().get("port");
                        EndpointFact endpoint = new EndpointFact(Objects.requireNonNull(Address.parse(words[0])), true, "", "", "", "");
                        slices.add(slice("s" + slices.size(), port, List.of(endpoint)));
                    }
                }
                assertThat(states(slices, "p")).extracting(state -> state.endpoint().toString()).isEqualTo(texts(one.expect().get("endpoints")));
            }
        }
    }

    static void conntrack(Case one) {
        ClusterModel model = ProxyConformanceTest.model(one);
        EndpointFact serving = new EndpointFact(Objects.requireNonNull(Address.parse("10.240.0.4")), true, "", "", "", "");
        Map<String, Object> flow = map(one.given().get("flow"));
        if (flow.get("service") == null) {
            model.put(new SliceFact("ns", "s", "svc", "", List.of(new PortFact("udp", Protocol.UDP, 8000)), List.of(serving), 0));
            model.replan();
        }
        String to = ((String) flow.get("origDst")).replace("*", "192.168.0.2");
        String answers = ((String) flow.get("replySrc")).replace("<old port>", "9000").replaceAll(" .*", "").replace("any", "10.240.0.9:8000");
        Endpoint target = endpoint(to);
        boolean stale = new StaleFlows(List.of(), model.plans().values(), Set.of(Protocol.UDP)).isStale(
                new StaleFlows.Flow(Protocol.valueOf((String) flow.get("proto")), target.address(), target.port(), endpoint(answers)));
        assertThat(stale).isEqualTo(one.expect().get("deleted"));
    }

    static void serviceHealth(Case one) {
        HealthAnswer answer = new ServiceHealth(new ServiceName("a", "b"), (Integer) one.given().get("localReadyEndpoints"),
                flag(one.given(), "proxyHealthy", false)).answer();
        Map<String, Object> expected = map(one.expect().get("http"));
        assertThat(answer.status()).isEqualTo(expected.get("status"));
        map(expected.get("headers")).forEach((name, value) -> assertThat(answer.headers()).containsEntry(name, (String) value));
        map(expected.get("body")).forEach((name, value) -> assertThat(answer.body())
                .contains(value instanceof Map ? "\"service\":{\"namespace\":\"a\",\"name\":\"b\"}" : "\"" + name + "\":" + value));
    }

    static void nodeHealth(Case one) {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        Map<String, Object> given = one.given();
        NodeHealth health = new NodeHealth(now::get, Duration.ofSeconds((Integer) given.getOrDefault("healthTimeoutSeconds", 60)));
        if (given.get("queuedSecondsAgo") instanceof Integer seconds) {
            health.queued();
            now.set(Instant.EPOCH.plusSeconds(seconds));
        }
        health.leaving("ToBeDeletedByClusterAutoscaler".equals(given.get("taint")) || given.containsKey("deletionTimestamp"));
        assertThat(health.healthz().status()).as("/healthz").isEqualTo(one.expect().get("/healthz"));
        assertThat(health.livez().status()).as("/livez").isEqualTo(one.expect().get("/livez"));
    }

    /** What is expected of the plan itself; whether anything was. */
    static boolean planned(Case one, IpFamily family) {
        ClusterModel model = ProxyConformanceTest.model(one);
        PortPlan port = model.plans().values().iterator().next().ports().stream().filter(each -> each.family() == family).findFirst().orElseThrow();
        Map<String, Object> expect = one.expect();
        if (expect.get("servicePort") != null) {
            assertThat(port.sourceRanges().stream().map(Object::toString)).isEqualTo(texts(map(expect.get("servicePort")).get("loadBalancerSourceRanges")));
        } else if (expect.get("lbIPProgrammed") != null) {
            assertThat(port.frontends().stream().anyMatch(frontend -> frontend.kind() == Frontend.Kind.LOAD_BALANCER)).isEqualTo(expect.get("lbIPProgrammed"));
        } else if (expect.get("localReadyEndpoints") != null) {
            assertThat(model.plans().values().iterator().next().localReady()).isZero();
        } else if (expect.get("affinity") != null) {
            assertThat(port.affinitySeconds()).isEqualTo(map(expect.get("affinity")).get("seconds"));
        } else {
            return false;
        }
        return true;
    }
}
