package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import dev.cairn.facts.Address;
import dev.cairn.facts.Fact;
import dev.cairn.facts.ImportFact;
import dev.cairn.facts.Interner;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads ServiceImports of the multi-cluster services API. */
final class ImportDecoder extends ObjectDecoder {
    private final List<Address> ips = new ArrayList<>();
    private final List<PortFact> ports = new ArrayList<>();
    private boolean headless;

    ImportDecoder(Known known, Interner interner, Complaints complaints) {
        super(Resource.IMPORTS, known, interner, complaints);
    }

    @Override
    void clear() {
        ips.clear();
        ports.clear();
        headless = false;
    }

    @Override
    void part(String field, JsonParser json) throws IOException {
        if (field.equals("spec")) {
            Json.object(json, this::spec);
        } else {
            json.skipChildren();
        }
    }

    /** Objects of custom kinds have no protobuf form. */
    @Override
    void part(int field, Proto proto) {}

    private void spec(String field, JsonParser json) throws IOException {
        switch (field) {
            case "type" -> headless = Json.text(json).equals("Headless");
            case "ips" -> Json.array(json, ip -> address(ips, Json.text(ip)));
            case "ports" -> Json.array(json, port -> port(ports, port));
            default -> json.skipChildren();
        }
    }

    @Override
    @Nullable Fact fact() {
        return !isLabel("its name", name()) ? null : new ImportFact(namespace(), name(), headless, ips, ports);
    }
}
