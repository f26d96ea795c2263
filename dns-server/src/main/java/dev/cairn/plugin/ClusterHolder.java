package dev.cairn.plugin;

/** The plugin of a block that has a cluster for others. */
public interface ClusterHolder {
    /** Tells the follower when there is a cluster, and when there is none any more. To be called before the instance starts it. */
    void tell(ClusterFollower follower);
}
