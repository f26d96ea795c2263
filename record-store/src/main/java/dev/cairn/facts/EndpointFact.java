package dev.cairn.facts;

import dev.cairn.wire.WireName;

/**
 * An endpoint of a slice. Strings are empty where the object has none.
 *
 * @param ready whether it may be answered with: {@code conditions.ready} is true or absent
 * @param podName the name of the pod that {@code targetRef} names
 * @param zone the topology zone
 * @param serving whether it takes connections: {@code conditions.serving} is true or absent. This and the next two are read only for a
 *     source that is asked for traffic
 * @param terminating {@code conditions.terminating}
 * @param further whether it is another address of the endpoint before it: names list it, and traffic is not led to it
 */
public record EndpointFact(
        Address address,
        boolean ready,
        String hostname,
        String podName,
        String nodeName,
        String zone,
        boolean serving,
        boolean terminating,
        EndpointHints hints,
        boolean further) {
    public EndpointFact(Address address, boolean ready, String hostname, String podName, String nodeName, String zone) {
        this(address, ready, hostname, podName, nodeName, zone, true, false, EndpointHints.NONE);
    }

    public EndpointFact(
            Address address,
            boolean ready,
            String hostname,
            String podName,
            String nodeName,
            String zone,
            boolean serving,
            boolean terminating,
            EndpointHints hints) {
        this(address, ready, hostname, podName, nodeName, zone, serving, terminating, hints, false);
    }

    /** The first label of its name: its host name, else its pod's if {@code podNames}, else its address with dashes. */
    public String label(boolean podNames) {
        if (!hostname.isEmpty()) {
            return hostname;
        }
        if (podNames && !podName.isEmpty() && podName.length() <= WireName.MAX_LABEL) {
            return podName;
        }
        String dashed = address.toString().replace('.', '-').replace(':', '-');
        return dashed.endsWith("-") ? dashed + "0" : dashed;
    }
}
