package dev.cairn.cluster;

import dev.cairn.facts.ClusterListener;
import java.io.IOException;

/** A place that knows the cluster. Started once, runs until closed, and never gives up in between. */
public interface ClusterSource extends AutoCloseable {
    /** Begins to tell the listener; returns at once. */
    void start(ClusterListener listener);

    /** Where the facts come from, in words such as "API server https://10.0.0.1:6443". */
    String place();

    /**
     * Creates an object given as JSON in a collection, such as {@code /apis/events.k8s.io/v1/namespaces/default/events}, where the facts come
     * from; false if nothing can be written there. Any thread may call it.
     */
    default boolean create(String collection, String json) throws IOException {
        return false;
    }

    /** Ends; the listener is not called after this returns. */
    @Override
    void close();
}
