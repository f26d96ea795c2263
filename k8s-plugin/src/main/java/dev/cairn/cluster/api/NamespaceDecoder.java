package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Interner;
import dev.cairn.facts.NamespaceFact;
import dev.cairn.facts.Resource;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads namespaces, of which only the name counts. */
final class NamespaceDecoder extends ObjectDecoder {
    NamespaceDecoder(Known known, Interner interner, Complaints complaints) {
        super(Resource.NAMESPACES, known, interner, complaints);
    }

    @Override
    void clear() {}

    @Override
    void part(String field, JsonParser json) throws IOException {
        json.skipChildren();
    }

    @Override
    void part(int field, Proto proto) {}

    @Override
    String namespace() {
        return name();
    }

    @Override
    @Nullable Fact fact() {
        return !isLabel("its name", name()) ? null : new NamespaceFact(interner.of(name()));
    }
}
