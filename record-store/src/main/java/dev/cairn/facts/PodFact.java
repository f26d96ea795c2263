package dev.cairn.facts;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pod that runs, with all its addresses.
 *
 * @param labels empty unless somebody wants them: there are many pods
 * @param onHostNetwork whether its addresses are those of its node, which others may have, too
 * @param dns how it asks for names; null if the source was not asked for it
 */
public record PodFact(
        String namespace, String name, List<Address> addresses, Map<String, String> labels, boolean onHostNetwork, @Nullable PodDns dns)
        implements Fact {
    public PodFact {
        addresses = List.copyOf(addresses);
        labels = Map.copyOf(labels);
    }

    public PodFact(String namespace, String name, List<Address> addresses, Map<String, String> labels, boolean onHostNetwork) {
        this(namespace, name, addresses, labels, onHostNetwork, null);
    }

    public PodFact(String namespace, String name, List<Address> addresses) {
        this(namespace, name, addresses, Map.of(), false);
    }

    @Override
    public Resource resource() {
        return Resource.PODS;
    }
}
