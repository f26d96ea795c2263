package dev.cairn.facts;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Makes equal strings one object, for names that many facts repeat: namespaces, nodes, zones, port names. Any thread may use it. */
public final class Interner {
    private static final int LIMIT = 1 << 16;

    private final Map<String, String> known = new ConcurrentHashMap<>();

    /** The first string that was equal to this one. Forgets all when it has seen very many, so that it cannot leak. */
    public String of(String text) {
        if (text.isEmpty()) {
            return "";
        }
        if (known.size() > LIMIT) {
            known.clear();
        }
        String before = known.putIfAbsent(text, text);
        return before == null ? text : before;
    }
}
