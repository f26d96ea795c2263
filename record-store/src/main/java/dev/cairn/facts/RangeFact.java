package dev.cairn.facts;

import java.util.List;

/** A ServiceCIDR: ranges from which cluster addresses are given out. */
public record RangeFact(String name, List<String> ranges) implements Fact {
    public RangeFact {
        ranges = List.copyOf(ranges);
    }

    @Override
    public Resource resource() {
        return Resource.SERVICE_RANGES;
    }

    @Override
    public String namespace() {
        return "";
    }
}
