package dev.cairn.cluster;

import java.util.Map;
import java.util.Objects;

/**
 * What of the cluster is wanted; nothing else is watched.
 *
 * @param namespaces which namespaces count, by their labels
 * @param objects which services, slices and pods count, by their labels
 * @param slices whether endpoint slices are wanted
 * @param pods whether pods are wanted
 * @param imports whether service imports and imported slices are wanted
 * @param podLabels whether the labels of pods are wanted, too
 * @param traffic whether what a proxy has to know is wanted: policies of services, conditions and hints of endpoints, and the ranges of
 *     cluster addresses
 * @param node the node that is wanted, by its name; empty for none
 * @param podDns whether it is wanted how pods ask for names
 * @param names whether what names are made of is wanted: namespaces, services without an address, and all addresses of an endpoint. A proxy alone
 *     has no use for them, and its role does not allow to watch namespaces
 */
public record WatchScope(
        LabelSelector namespaces,
        LabelSelector objects,
        boolean slices,
        boolean pods,
        boolean imports,
        boolean podLabels,
        boolean traffic,
        String node,
        boolean podDns,
        boolean names) {
    public static final WatchScope SERVICES_AND_SLICES = new WatchScope(LabelSelector.ALL, LabelSelector.ALL, true, false, false);

    /** Services of another proxy are not ours, and headless ones have no address to serve. */
    private static final LabelSelector PROXIED =
            LabelSelector.parse("!service.kubernetes.io/service-proxy-name,!service.kubernetes.io/headless");

    public WatchScope(LabelSelector namespaces, LabelSelector objects, boolean slices, boolean pods, boolean imports) {
        this(namespaces, objects, slices, pods, imports, false);
    }

    public WatchScope(LabelSelector namespaces, LabelSelector objects, boolean slices, boolean pods, boolean imports, boolean podLabels) {
        this(namespaces, objects, slices, pods, imports, podLabels, false, "", false, true);
    }

    /** All that has to do with names, of all objects; of pods, if they are wanted, also how they ask. */
    public static WatchScope everything(boolean pods, boolean imports) {
        return new WatchScope(LabelSelector.ALL, LabelSelector.ALL, true, pods, imports, false, false, "", pods, true);
    }

    /** What the proxy of a node wants. */
    public static WatchScope traffic(String node) {
        return new WatchScope(LabelSelector.ALL, PROXIED, true, false, false, false, true, node, false, false);
    }

    /** This and what the proxy of a node wants. Only without a choice of objects: no watch has these labels and those. */
    public WatchScope withTraffic(String own) {
        if (!isWhole()) {
            throw new IllegalStateException("a scope with a choice of objects cannot be a proxy's, too");
        }
        return new WatchScope(namespaces, objects, slices, pods, imports, podLabels, true, own, podDns, names);
    }

    /** A record's own is made of classes that are not there before it is asked for, which a start would have to wait for. */
    @Override
    public int hashCode() {
        return Objects.hash(slices, pods, imports, podLabels, traffic, node, podDns, names);
    }

    /** Whether services and slices are wanted without a choice. */
    public boolean isWhole() {
        return slices && objects.equals(LabelSelector.ALL);
    }

    /** Whether traffic to a service with these labels is wanted, and not another proxy's. */
    public boolean hasTraffic(Map<String, String> labels) {
        return traffic && PROXIED.matches(labels);
    }
}
