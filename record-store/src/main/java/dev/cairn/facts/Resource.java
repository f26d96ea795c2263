package dev.cairn.facts;

/** The kinds of objects that are watched. */
public enum Resource {
    NAMESPACES,
    SERVICES,
    SLICES,
    PODS,
    IMPORTS,
    NODES,
    SERVICE_RANGES
}
