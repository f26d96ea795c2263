package dev.cairn.proxy.conformance;

import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.EndpointHints;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.facts.TrafficFact;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Reads the file, and makes facts of what its cases give. */
public final class Facts {
    public static final String NODE = "test-node";

    private Facts() {}

    public static List<Case> cases() {
        try (InputStream in = Objects.requireNonNull(Facts.class.getResourceAsStream("/conformance/proxy.yaml"))) {
            Map<String, Object> file = map(new Load(LoadSettings.builder().setCodePointLimit(1 << 22).build()).loadFromInputStream(in));
            return list(file.get("cases")).stream().map(one -> new Case(map(one))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("unchecked")
    public static Map<String, Object> map(Object value) {
        return value == null ? Map.of() : (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    public static List<Object> list(Object value) {
        return value == null ? List.of() : (List<Object>) value;
    }

    public static List<String> texts(Object value) {
        return list(value).stream().map(String::valueOf).toList();
    }

    private static String text(Map<String, Object> map, String key) {
        Object value = map.get(key);
        return value == null ? "" : value.toString();
    }

    private static int number(Map<String, Object> map, String key) {
        return map.get(key) instanceof Integer number ? number : 0;
    }

    static List<Address> addresses(Object value) {
        return texts(value).stream().map(Address::parse).toList();
    }

    static ServiceFact service(Map<String, Object> given) {
        String clusterIp = text(given, "clusterIP");
        ServiceFact.Kind kind = text(given, "type").equals("ExternalName") ? ServiceFact.Kind.EXTERNAL_NAME
                : clusterIp.equals("None") ? ServiceFact.Kind.HEADLESS : ServiceFact.Kind.CLUSTER_IP;
        List<Address> ingress = list(given.get("loadBalancerIngress")).stream()
                .map(Facts::map)
                .filter(point -> point.get("ip") != null && !"Proxy".equals(point.get("ipMode")))
                .map(point -> Address.parse(text(point, "ip")))
                .toList();
        TrafficFact.Type type = switch (text(given, "type")) {
            case "NodePort" -> TrafficFact.Type.NODE_PORT;
            case "LoadBalancer" -> TrafficFact.Type.LOAD_BALANCER;
            default -> TrafficFact.Type.CLUSTER_IP;
        };
        TrafficFact traffic = new TrafficFact(
                type,
                text(given, "internalTrafficPolicy").equals("Local"),
                text(given, "externalTrafficPolicy").equals("Local"),
                text(given, "sessionAffinity").equals("ClientIP") ? number(given, "sessionAffinityTimeoutSeconds") : 0,
                texts(given.get("loadBalancerSourceRanges")),
                number(given, "healthCheckNodePort"),
                ingress);
        return new ServiceFact(text(given, "namespace"), text(given, "name"), kind,
                kind == ServiceFact.Kind.CLUSTER_IP ? List.of(Objects.requireNonNull(Address.parse(clusterIp))) : List.of(),
                ports(given), text(given, "externalName"), addresses(given.get("externalIPs")), ingress, List.of(), traffic);
    }

    private static List<PortFact> ports(Map<String, Object> given) {
        return list(given.get("ports")).stream()
                .map(Facts::map)
                .filter(port -> number(port, "port") != 0)
                .map(port -> new PortFact(text(port, "name"), Protocol.valueOf(text(port, "protocol")), number(port, "port"), number(port, "nodePort")))
                .toList();
    }

    static SliceFact slice(Map<String, Object> given) {
        List<EndpointFact> endpoints = new ArrayList<>();
        for (Object one : list(given.get("endpoints"))) {
            Map<String, Object> endpoint = map(one);
            Map<String, Object> conditions = map(endpoint.get("conditions"));
            endpoints.add(new EndpointFact(addresses(endpoint.get("addresses")).getFirst(), flag(conditions, "ready", true), "", "",
                    text(endpoint, "nodeName"), "", flag(conditions, "serving", true), flag(conditions, "terminating", false), EndpointHints.NONE));
        }
        return new SliceFact(text(given, "namespace"), text(given, "name"), text(given, "service"), "", ports(given), endpoints, 0);
    }

    public static boolean flag(Map<String, Object> map, String key, boolean otherwise) {
        return map.get(key) instanceof Boolean value ? value : otherwise;
    }

    /** One case of the file. */
    public record Case(Map<String, Object> fields) {
        public String id() {
            return text(fields, "id");
        }

        public List<String> modes() {
            return texts(fields.get("modes"));
        }

        public Map<String, Object> given() {
            return map(fields.get("given"));
        }

        public Map<String, Object> config() {
            return map(fields.get("config"));
        }

        public Map<String, Object> expect() {
            return map(fields.get("expect"));
        }

        public Stream<ServiceFact> services() {
            return list(fields.get("services")).stream().map(Facts::map).map(Facts::service);
        }

        public Stream<SliceFact> slices() {
            return list(fields.get("endpointSlices")).stream().map(Facts::map).map(Facts::slice);
        }

        @Override
        public String toString() {
            return id();
        }
    }
}
