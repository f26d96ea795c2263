package dev.cairn.cluster.api;

import dev.cairn.facts.ClusterListener;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes down what a listener hears, and whether it ever heard two things at once. */
final class Recorder implements ClusterListener {
    private final List<String> heard = new ArrayList<>();
    private final Map<String, Fact> facts = new ConcurrentHashMap<>();
    private final AtomicInteger within = new AtomicInteger();
    private volatile boolean overlapped;

    @Override
    public void put(Fact fact) {
        facts.put(key(fact.resource(), fact.namespace(), fact.name()), fact);
        hear("put " + key(fact.resource(), fact.namespace(), fact.name()));
    }

    @Override
    public void remove(Resource resource, String namespace, String name) {
        facts.remove(key(resource, namespace, name));
        hear("remove " + key(resource, namespace, name));
    }

    @Override
    public void synced(Resource resource) {
        hear("synced " + resource);
    }

    private void hear(String what) {
        if (within.incrementAndGet() > 1) {
            overlapped = true;
        }
        synchronized (heard) {
            heard.add(what);
        }
        Thread.onSpinWait();
        within.decrementAndGet();
    }

    private static String key(Resource resource, String namespace, String name) {
        return resource + " " + namespace + "/" + name;
    }

    /** What was heard of one kind, without the kind. */
    List<String> heard(Resource resource) {
        synchronized (heard) {
            return heard.stream().filter(what -> what.contains(" " + resource)).map(what -> what.replace(" " + resource, "")).toList();
        }
    }

    Fact fact(Resource resource, String name) {
        return facts.get(key(resource, name.substring(0, name.indexOf('/')), name.substring(name.indexOf('/') + 1)));
    }

    boolean overlapped() {
        return overlapped;
    }
}
