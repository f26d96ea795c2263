package dev.cairn.facts;

/** Hears of the cluster from a source. Called by one thread at a time; must not block for long. */
public interface ClusterListener {
    /** A fact is new or has changed. */
    void put(Fact fact);

    /** An object is gone. Of one that was never put, nothing is to be done. */
    void remove(Resource resource, String namespace, String name);

    /** All objects of a kind that there were at the start have been put. Told once for each kind that the source watches. */
    void synced(Resource resource);
}
