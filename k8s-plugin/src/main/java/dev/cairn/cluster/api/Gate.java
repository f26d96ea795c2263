package dev.cairn.cluster.api;

import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Resource;
import java.util.concurrent.locks.ReentrantLock;

/** Lets one reflector at a time through to the listener, and none any more once it is shut. Used by all reflector threads. */
final class Gate implements ClusterListener {
    private final ReentrantLock lock = new ReentrantLock();
    private final ClusterListener listener;
    private boolean shut;

    Gate(ClusterListener listener) {
        this.listener = listener;
    }

    @Override
    public void put(Fact fact) {
        pass(() -> listener.put(fact));
    }

    @Override
    public void remove(Resource resource, String namespace, String name) {
        pass(() -> listener.remove(resource, namespace, name));
    }

    @Override
    public void synced(Resource resource) {
        pass(() -> listener.synced(resource));
    }

    /** Waits for a call that is under way. */
    void shut() {
        lock.lock();
        try {
            shut = true;
        } finally {
            lock.unlock();
        }
    }

    private void pass(Runnable call) {
        lock.lock();
        try {
            if (!shut) {
                call.run();
            }
        } finally {
            lock.unlock();
        }
    }
}
