package dev.cairn.cluster;

import dev.cairn.facts.ClusterListener;

/** A place that knows the cluster. Started once, runs until closed, and never gives up in between. */
public interface ClusterSource extends AutoCloseable {
    /** Begins to tell the listener; returns at once. */
    void start(ClusterListener listener);

    /** Ends; the listener is not called after this returns. */
    @Override
    void close();
}
