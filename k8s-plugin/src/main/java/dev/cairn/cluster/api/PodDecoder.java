package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import dev.cairn.facts.Address;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Interner;
import dev.cairn.facts.PodFact;
import dev.cairn.facts.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads pods: all their addresses, of both families, and their labels if they are wanted. A pod without an address yet is no fact. */
final class PodDecoder extends ObjectDecoder {
    private final List<Address> addresses = new ArrayList<>();
    private final Map<String, String> labels = new HashMap<>();
    private final boolean withLabels;
    private String first = "";
    private String host = "";

    PodDecoder(boolean withLabels, Known known, Interner interner, Complaints complaints) {
        super(Resource.PODS, known, interner, complaints);
        this.withLabels = withLabels;
    }

    @Override
    void clear() {
        addresses.clear();
        labels.clear();
        first = "";
        host = "";
    }

    @Override
    boolean wants(String key) {
        return withLabels;
    }

    @Override
    boolean wantsAnnotation(String key) {
        return false;
    }

    @Override
    void label(String key, String value) {
        labels.put(interner.of(key), interner.of(value));
    }

    @Override
    void part(String field, JsonParser json) throws IOException {
        if (field.equals("status")) {
            Json.object(json, this::status);
        } else {
            json.skipChildren();
        }
    }

    @Override
    void part(int field, Proto proto) throws IOException {
        if (field == 3) {
            proto.message(this::status);
        }
    }

    private void status(int field, Proto proto) throws IOException {
        switch (field) {
            case 5 -> host = proto.text();
            case 6 -> first = proto.text();
            case 12 -> proto.message(this::ip);
            default -> {}
        }
    }

    private void ip(int field, Proto proto) {
        if (field == 1) {
            address(addresses, proto.text());
        }
    }

    private void status(String field, JsonParser json) throws IOException {
        switch (field) {
            case "podIP" -> first = Json.text(json);
            case "hostIP" -> host = Json.text(json);
            case "podIPs" -> Json.array(json, ip -> Json.object(ip, this::ip));
            default -> json.skipChildren();
        }
    }

    private void ip(String field, JsonParser json) throws IOException {
        if (field.equals("ip")) {
            address(addresses, Json.text(json));
        } else {
            json.skipChildren();
        }
    }

    @Override
    @Nullable Fact fact() {
        if (addresses.isEmpty() && !first.isEmpty()) {
            address(addresses, first);
        }
        return addresses.isEmpty() ? null : new PodFact(namespace(), name(), addresses, labels, isOnHost());
    }

    /** Told by the address, so that the specification, the largest part of a pod, need not be read. */
    private boolean isOnHost() {
        Address node = host.isEmpty() ? null : Address.parse(host);
        return node != null && addresses.contains(node);
    }
}
