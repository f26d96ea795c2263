package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import dev.cairn.cluster.WatchScope;
import dev.cairn.facts.Address;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Interner;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.ServiceFact.Kind;
import dev.cairn.facts.TrafficFact;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads services. */
final class ServiceDecoder extends ObjectDecoder {
    private static final String NONE = "None";

    /** Null if nobody wants it. */
    private final @Nullable TrafficFields traffic;
    private final WatchScope scope;
    /** Those by which a service is another proxy's, or none's; where only a proxy asks, the server leaves such services out. */
    private final Map<String, String> labels = new HashMap<>();

    private final List<String> clusterIps = new ArrayList<>();
    private final List<PortFact> ports = new ArrayList<>();
    private final List<Address> externalIps = new ArrayList<>();
    private final List<Address> ingressIps = new ArrayList<>();
    private final List<String> ingressHostnames = new ArrayList<>();
    private String type = "";
    private String clusterIp = "";
    private String externalName = "";
    private String ingressIp = "";
    private String ingressMode = "";

    private final Proto.Field spec = this::spec;
    private final Proto.Field status = this::status;
    private final Proto.Field ingress = this::ingress;

    ServiceDecoder(WatchScope scope, Known known, Interner interner, Complaints complaints) {
        super(Resource.SERVICES, known, interner, complaints);
        this.scope = scope;
        traffic = scope.traffic() ? new TrafficFields() : null;
    }

    @Override
    void clear() {
        labels.clear();
        clusterIps.clear();
        ports.clear();
        externalIps.clear();
        ingressIps.clear();
        ingressHostnames.clear();
        type = "";
        clusterIp = "";
        externalName = "";
        if (traffic != null) {
            traffic.clear();
        }
    }

    @Override
    boolean wants(String key) {
        return traffic != null && scope.names() && key.startsWith("service.kubernetes.io/");
    }

    @Override
    boolean wantsAnnotation(String key) {
        return traffic != null && key.equals(TrafficFact.SCHEDULER);
    }

    @Override
    void label(String key, String value) {
        if (traffic != null && key.equals(TrafficFact.SCHEDULER)) {
            traffic.scheduler(value);
        } else {
            labels.put(key, value);
        }
    }

    @Override
    void part(String field, JsonParser json) throws IOException {
        switch (field) {
            case "spec" -> Json.object(json, this::spec);
            case "status" -> Json.object(json, this::status);
            default -> json.skipChildren();
        }
    }

    @Override
    void part(int field, Proto proto) throws IOException {
        switch (field) {
            case 2 -> proto.message(spec);
            case 3 -> proto.message(status);
            default -> {}
        }
    }

    private void spec(int field, Proto proto) throws IOException {
        switch (field) {
            case 1 -> port(ports, proto);
            case 3 -> clusterIp = proto.text();
            case 4 -> type = proto.text();
            case 5 -> address(externalIps, proto.text());
            case 10 -> externalName = proto.text();
            case 18 -> clusterIps.add(proto.text());
            default -> {
                if (traffic != null) {
                    traffic.spec(field, proto);
                }
            }
        }
    }

    private void status(int field, Proto proto) throws IOException {
        if (field == 1) {   // loadBalancer
            proto.message((part, balancer) -> {
                beginIngress();
                balancer.message(ingress);
                endIngress();
            });
        }
    }

    private void ingress(int field, Proto proto) {
        switch (field) {
            case 1 -> ingressIp = proto.text();
            case 2 -> ingressHostname(proto.text());
            case 3 -> ingressMode = proto.text();
            default -> {}
        }
    }

    private void beginIngress() {
        ingressIp = "";
        ingressMode = "";
    }

    private void endIngress() {
        int before = ingressIps.size();
        if (!ingressIp.isEmpty()) {
            address(ingressIps, ingressIp);
        }
        if (traffic != null && ingressIps.size() > before) {
            traffic.ingress(ingressIps.getLast(), ingressMode);
        }
    }

    private void ingressHostname(String text) {
        if (!text.isEmpty()) {
            ingressHostnames.add(text);
        }
    }

    private void spec(String field, JsonParser json) throws IOException {
        switch (field) {
            case "type" -> type = Json.text(json);
            case "clusterIP" -> clusterIp = Json.text(json);
            case "clusterIPs" -> Json.array(json, ip -> clusterIps.add(Json.text(ip)));
            case "externalName" -> externalName = Json.text(json);
            case "externalIPs" -> Json.array(json, ip -> address(externalIps, Json.text(ip)));
            case "ports" -> Json.array(json, port -> port(ports, port));
            default -> {
                if (traffic != null) {
                    traffic.spec(field, json);
                } else {
                    json.skipChildren();
                }
            }
        }
    }

    private void status(String field, JsonParser json) throws IOException {
        if (field.equals("loadBalancer")) {
            Json.object(json, (part, value) -> {
                if (part.equals("ingress")) {
                    Json.array(value, point -> {
                        beginIngress();
                        Json.object(point, this::ingress);
                        endIngress();
                    });
                } else {
                    value.skipChildren();
                }
            });
        } else {
            json.skipChildren();
        }
    }

    private void ingress(String field, JsonParser json) throws IOException {
        switch (field) {
            case "ip" -> ingressIp = Json.text(json);
            case "hostname" -> ingressHostname(Json.text(json));
            case "ipMode" -> ingressMode = Json.text(json);
            default -> json.skipChildren();
        }
    }

    @Override
    @Nullable Fact fact() {
        if (!isLabel("its name", name())) {
            return null;
        }
        Kind kind = kind();
        List<Address> ips = new ArrayList<>();
        if (kind == Kind.CLUSTER_IP) {
            List<String> texts = clusterIps.isEmpty() && !clusterIp.isEmpty() ? List.of(clusterIp) : clusterIps;
            texts.forEach(text -> address(ips, text));
        }
        String target = kind != Kind.EXTERNAL_NAME ? "" : withoutLastDot(externalName);
        return new ServiceFact(namespace(), interner.of(name()), kind, ips, ports, target, externalIps, ingressIps, ingressHostnames,
                traffic == null || !scope.hasTraffic(labels) ? null : traffic.fact(type));
    }

    private Kind kind() {
        if (type.equals("ExternalName")) {
            return Kind.EXTERNAL_NAME;
        }
        return clusterIp.equals(NONE) || clusterIps.contains(NONE) ? Kind.HEADLESS : Kind.CLUSTER_IP;
    }

    private static String withoutLastDot(String name) {
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
