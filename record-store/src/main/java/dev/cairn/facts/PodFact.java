package dev.cairn.facts;

import java.util.List;
import java.util.Map;

/**
 * A pod that runs, with all its addresses.
 *
 * @param labels empty unless somebody wants them: there are many pods
 * @param onHostNetwork whether its addresses are those of its node, which others may have, too
 */
public record PodFact(String namespace, String name, List<Address> addresses, Map<String, String> labels, boolean onHostNetwork)
        implements Fact {
    public PodFact {
        addresses = List.copyOf(addresses);
        labels = Map.copyOf(labels);
    }

    public PodFact(String namespace, String name, List<Address> addresses) {
        this(namespace, name, addresses, Map.of(), false);
    }

    @Override
    public Resource resource() {
        return Resource.PODS;
    }
}
