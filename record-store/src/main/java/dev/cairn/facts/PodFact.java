package dev.cairn.facts;

import java.util.List;

/** A pod that runs, with all its addresses. */
public record PodFact(String namespace, String name, List<Address> addresses) implements Fact {
    public PodFact {
        addresses = List.copyOf(addresses);
    }

    @Override
    public Resource resource() {
        return Resource.PODS;
    }
}
