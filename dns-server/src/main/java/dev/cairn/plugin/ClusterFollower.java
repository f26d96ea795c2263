package dev.cairn.plugin;

import dev.cairn.facts.Address;
import dev.cairn.zone.ClusterStore;
import java.util.Set;

/** A plugin that makes more of the cluster which {@code kubernetes} of its block watches. */
public interface ClusterFollower {
    /**
     * The cluster is watched from now on. Called before the instance goes into service.
     *
     * @param namespaces those whose services are told; empty for all
     * @param podNames whether endpoints without a host name are named after their pods
     * @param localAddresses those this server listens on, but for loopback
     */
    void follow(ClusterStore store, Set<String> namespaces, boolean podNames, Set<Address> localAddresses);

    /** The instance has left service. */
    void leave();
}
