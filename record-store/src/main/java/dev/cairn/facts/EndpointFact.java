package dev.cairn.facts;

/**
 * An endpoint of a slice. Strings are empty where the object has none.
 *
 * @param ready whether it may be answered with: {@code conditions.ready} is true or absent
 * @param podName the name of the pod that {@code targetRef} names
 * @param zone the topology zone
 */
public record EndpointFact(Address address, boolean ready, String hostname, String podName, String nodeName, String zone) {}
