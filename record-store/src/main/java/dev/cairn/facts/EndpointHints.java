package dev.cairn.facts;

import java.util.List;

/** For which zones and nodes an endpoint is meant ({@code hints}). */
public record EndpointHints(List<String> zones, List<String> nodes) {
    public static final EndpointHints NONE = new EndpointHints(List.of(), List.of());

    public EndpointHints {
        zones = List.copyOf(zones);
        nodes = List.copyOf(nodes);
    }

    /** Whether it is meant for all. */
    boolean isNone() {
        return zones.isEmpty() && nodes.isEmpty();
    }
}
