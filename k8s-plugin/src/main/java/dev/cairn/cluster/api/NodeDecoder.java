package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import dev.cairn.facts.Address;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Interner;
import dev.cairn.facts.NodeFact;
import dev.cairn.facts.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads nodes: zone, own addresses, ranges of pods, and whether it is about to go. */
final class NodeDecoder extends ObjectDecoder {
    private static final String ZONE = "topology.kubernetes.io/zone";

    private final List<Address> internal = new ArrayList<>();
    private final List<Address> external = new ArrayList<>();
    private final List<String> podRanges = new ArrayList<>();
    private String zone = "";
    private boolean tainted;
    private String addressType = "";
    private String address = "";

    NodeDecoder(Known known, Interner interner, Complaints complaints) {
        super(Resource.NODES, known, interner, complaints);
    }

    @Override
    void clear() {
        internal.clear();
        external.clear();
        podRanges.clear();
        zone = "";
        tainted = false;
    }

    @Override
    boolean wants(String key) {
        return key.equals(ZONE);
    }

    @Override
    void label(String key, String value) {
        zone = value;
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
            case 2 -> proto.message(this::spec);
            case 3 -> proto.message(this::status);
            default -> {}
        }
    }

    private void spec(int field, Proto proto) throws IOException {
        switch (field) {
            case 5 -> proto.message((part, taint) -> taint(part == 1 ? taint.text() : ""));
            case 7 -> podRanges.add(proto.text());
            default -> {}
        }
    }

    private void status(int field, Proto proto) throws IOException {
        if (field == 5) {
            addressType = "";
            address = "";
            proto.message((part, entry) -> {
                switch (part) {
                    case 1 -> addressType = entry.text();
                    case 2 -> address = entry.text();
                    default -> {}
                }
            });
            address();
        }
    }

    private void spec(String field, JsonParser json) throws IOException {
        switch (field) {
            case "podCIDRs" -> Json.array(json, range -> podRanges.add(Json.text(range)));
            case "taints" -> Json.array(json, taint -> Json.object(taint, (part, value) -> taint(part.equals("key") ? Json.text(value) : skip(value))));
            default -> json.skipChildren();
        }
    }

    private static String skip(JsonParser json) throws IOException {
        json.skipChildren();
        return "";
    }

    private void status(String field, JsonParser json) throws IOException {
        if (!field.equals("addresses")) {
            json.skipChildren();
            return;
        }
        Json.array(json, entry -> {
            addressType = "";
            address = "";
            Json.object(entry, (part, value) -> {
                switch (part) {
                    case "type" -> addressType = Json.text(value);
                    case "address" -> address = Json.text(value);
                    default -> value.skipChildren();
                }
            });
            address();
        });
    }

    private void taint(String key) {
        tainted |= key.equals(NodeFact.LEAVING_TAINT);
    }

    private void address() {
        switch (addressType) {
            case "InternalIP" -> address(internal, address);
            case "ExternalIP" -> address(external, address);
            default -> {}   // names
        }
    }

    @Override
    Fact fact() {
        List<Address> all = new ArrayList<>(internal);
        all.addAll(external);
        return new NodeFact(name(), zone, all, podRanges, tainted || isTerminating());
    }
}
