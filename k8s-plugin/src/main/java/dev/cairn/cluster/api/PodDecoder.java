package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import dev.cairn.facts.Address;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Interner;
import dev.cairn.facts.PodFact;
import dev.cairn.facts.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads pods: all their addresses, of both families. A pod without an address yet is no fact. */
final class PodDecoder extends ObjectDecoder {
    private final List<Address> addresses = new ArrayList<>();
    private String first = "";

    PodDecoder(Known known, Interner interner, Complaints complaints) {
        super(Resource.PODS, known, interner, complaints);
    }

    @Override
    void clear() {
        addresses.clear();
        first = "";
    }

    @Override
    void part(String field, JsonParser json) throws IOException {
        if (field.equals("status")) {
            Json.object(json, this::status);
        } else {
            json.skipChildren();
        }
    }

    private void status(String field, JsonParser json) throws IOException {
        switch (field) {
            case "podIP" -> first = Json.text(json);
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
        return addresses.isEmpty() ? null : new PodFact(namespace(), name(), addresses);
    }
}
