package dev.cairn.cluster.api;

import com.fasterxml.jackson.core.JsonParser;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Interner;
import dev.cairn.facts.RangeFact;
import dev.cairn.facts.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads ServiceCIDRs. */
final class RangeDecoder extends ObjectDecoder {
    private final List<String> ranges = new ArrayList<>();

    RangeDecoder(Known known, Interner interner, Complaints complaints) {
        super(Resource.SERVICE_RANGES, known, interner, complaints);
    }

    @Override
    void clear() {
        ranges.clear();
    }

    @Override
    void part(String field, JsonParser json) throws IOException {
        if (!field.equals("spec")) {
            json.skipChildren();
            return;
        }
        Json.object(json, (part, value) -> {
            if (part.equals("cidrs")) {
                Json.array(value, range -> ranges.add(Json.text(range)));
            } else {
                value.skipChildren();
            }
        });
    }

    @Override
    void part(int field, Proto proto) throws IOException {
        if (field == 2) {
            proto.message((part, spec) -> {
                if (part == 1) {
                    ranges.add(spec.text());
                }
            });
        }
    }

    @Override
    Fact fact() {
        return new RangeFact(name(), ranges);
    }
}
