package dev.cairn.cluster.api;

import dev.cairn.facts.Resource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Names objects that are wrong, each once. Used by all reflector threads. */
final class Complaints {
    private static final int LIMIT = 1000;

    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private final Map<Resource, Long> counts = new ConcurrentHashMap<>();
    private final Logger log;

    Complaints(Logger log) {
        this.log = log;
    }

    /** How often there was one about objects of a kind, told or not. */
    long count(Resource resource) {
        return counts.getOrDefault(resource, 0L);
    }

    void about(Resource resource, String namespace, String name, String why) {
        String text = resource.name().toLowerCase(Locale.ROOT) + " " + namespace + "/" + name + ": " + why + "; left out";
        counts.merge(resource, 1L, Long::sum);
        // Past the limit, silence is better than a log full of this or memory full of it.
        if (told.size() < LIMIT && told.add(text)) {
            log.log(Level.WARNING, text);
        }
    }
}
