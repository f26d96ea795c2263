package dev.cairn.cluster;

/**
 * What of the cluster is wanted; nothing else is watched.
 *
 * @param namespaces which namespaces count, by their labels
 * @param objects which services, slices and pods count, by their labels
 * @param slices whether endpoint slices are wanted
 * @param pods whether pods are wanted
 * @param imports whether service imports and imported slices are wanted
 */
public record WatchScope(LabelSelector namespaces, LabelSelector objects, boolean slices, boolean pods, boolean imports) {
    public static final WatchScope SERVICES_AND_SLICES = new WatchScope(LabelSelector.ALL, LabelSelector.ALL, true, false, false);
}
