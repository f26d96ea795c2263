package dev.cairn.cluster;

import dev.cairn.facts.ClusterListener;
import java.io.IOException;

/** A place that knows the cluster. Started once, runs until closed, and never gives up in between. */
public interface ClusterSource extends AutoCloseable {
    /** Begins to tell the listener; returns at once. */
    void start(ClusterListener listener);

    /**
     * Creates an object given as JSON in a collection, such as {@code /apis/events.k8s.io/v1/namespaces/default/events}, where the facts come
     * from; false if nothing can be written there. Any thread may call it.
     */
    default boolean create(String collection, String json) throws IOException {
        return false;
    }

    /** The URL of the API server behind it, or what is known of it; empty if there is none. */
    default String server() {
        return "";
    }

    /** Ends; the listener is not called after this returns. */
    @Override
    void close();
}
