package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import dev.cairn.facts.Address;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Interner;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Resource;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.ServiceFact.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads services. */
final class ServiceDecoder extends ObjectDecoder {
    private static final String NONE = "None";

    private final List<String> clusterIps = new ArrayList<>();
    private final List<PortFact> ports = new ArrayList<>();
    private final List<Address> externalIps = new ArrayList<>();
    private final List<Address> ingressIps = new ArrayList<>();
    private final List<String> ingressHostnames = new ArrayList<>();
    private String type = "";
    private String clusterIp = "";
    private String externalName = "";

    ServiceDecoder(Known known, Interner interner, Complaints complaints) {
        super(Resource.SERVICES, known, interner, complaints);
    }

    @Override
    void clear() {
        clusterIps.clear();
        ports.clear();
        externalIps.clear();
        ingressIps.clear();
        ingressHostnames.clear();
        type = "";
        clusterIp = "";
        externalName = "";
    }

    @Override
    void part(String field, JsonParser json) throws IOException {
        switch (field) {
            case "spec" -> Json.object(json, this::spec);
            case "status" -> Json.object(json, this::status);
            default -> json.skipChildren();
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
            default -> json.skipChildren();
        }
    }

    private void status(String field, JsonParser json) throws IOException {
        if (field.equals("loadBalancer")) {
            Json.object(json, (part, value) -> {
                if (part.equals("ingress")) {
                    Json.array(value, point -> Json.object(point, this::ingress));
                } else {
                    value.skipChildren();
                }
            });
        } else {
            json.skipChildren();
        }
    }

    private void ingress(String field, JsonParser json) throws IOException {
        String text = field.equals("ip") || field.equals("hostname") ? Json.text(json) : "";
        if (text.isEmpty()) {
            json.skipChildren();
        } else if (field.equals("ip")) {
            address(ingressIps, text);
        } else {
            ingressHostnames.add(text);
        }
    }

    @Override
    Fact fact() {
        Kind kind = kind();
        List<Address> ips = new ArrayList<>();
        if (kind == Kind.CLUSTER_IP) {
            List<String> texts = clusterIps.isEmpty() && !clusterIp.isEmpty() ? List.of(clusterIp) : clusterIps;
            texts.forEach(text -> address(ips, text));
        }
        String target = kind != Kind.EXTERNAL_NAME ? "" : withoutLastDot(externalName);
        return new ServiceFact(namespace(), name(), kind, ips, ports, target, externalIps, ingressIps, ingressHostnames);
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
