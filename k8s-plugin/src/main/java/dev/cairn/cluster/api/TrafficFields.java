package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import dev.cairn.facts.Address;
import dev.cairn.facts.TrafficFact;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the fields of a service that only a proxy wants. Owned by one reflector thread. */
final class TrafficFields {
    private static final String LOCAL = "Local";

    private final List<String> sourceRanges = new ArrayList<>();
    private final List<Address> balancerIps = new ArrayList<>();
    private boolean internalLocal;
    private boolean externalLocal;
    private boolean clientIp;
    private int timeout;
    private int healthCheckNodePort;
    private String scheduler = "";

    void clear() {
        sourceRanges.clear();
        balancerIps.clear();
        internalLocal = false;
        externalLocal = false;
        clientIp = false;
        timeout = 0;
        healthCheckNodePort = 0;
        scheduler = "";
    }

    void scheduler(String value) {
        scheduler = value;
    }

    void spec(int field, Proto proto) throws IOException {
        switch (field) {
            case 7 -> clientIp = proto.text().equals("ClientIP");
            case 9 -> sourceRanges.add(proto.text());
            case 11 -> externalLocal = proto.text().equals(LOCAL);
            case 12 -> healthCheckNodePort = proto.number();
            case 14 -> proto.message((_, config) -> config.message((part, client) -> timeout = part == 1 ? client.number() : timeout));
            case 22 -> internalLocal = proto.text().equals(LOCAL);
            default -> {}
        }
    }

    void spec(String field, JsonParser json) throws IOException {
        switch (field) {
            case "sessionAffinity" -> clientIp = Json.text(json).equals("ClientIP");
            case "sessionAffinityConfig" -> Json.object(json, (_, config) -> Json.object(config, this::timeout));
            case "loadBalancerSourceRanges" -> Json.array(json, range -> sourceRanges.add(Json.text(range)));
            case "externalTrafficPolicy" -> externalLocal = Json.text(json).equals(LOCAL);
            case "internalTrafficPolicy" -> internalLocal = Json.text(json).equals(LOCAL);
            case "healthCheckNodePort" -> healthCheckNodePort = Json.number(json);
            default -> json.skipChildren();
        }
    }

    private void timeout(String field, JsonParser json) throws IOException {
        if (field.equals("timeoutSeconds")) {
            timeout = Json.number(json);
        } else {
            json.skipChildren();
        }
    }

    /** An address of the load balancer. With the mode Proxy its traffic comes by node ports, and to serve it here would go round it. */
    void ingress(Address address, String mode) {
        if (!mode.equals("Proxy")) {
            balancerIps.add(address);
        }
    }

    TrafficFact fact(String type) {
        TrafficFact.Type kind = switch (type) {
            case "NodePort" -> TrafficFact.Type.NODE_PORT;
            case "LoadBalancer" -> TrafficFact.Type.LOAD_BALANCER;
            default -> TrafficFact.Type.CLUSTER_IP;
        };
        int affinity = !clientIp ? 0 : timeout > 0 ? timeout : TrafficFact.USUAL_AFFINITY;
        return new TrafficFact(kind, internalLocal, externalLocal, affinity, sourceRanges, healthCheckNodePort, balancerIps, scheduler);
    }
}
