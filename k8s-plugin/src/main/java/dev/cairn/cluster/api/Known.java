package dev.cairn.cluster.api;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Which objects of a kind were told, and in what version. A hash table in flat arrays: its strings are those of the facts, so an object
 * costs about 30 bytes here. Owned by one reflector thread.
 *
 * <p>A list marks what it meets; what has no mark at its end has vanished. So a new list needs no second copy of anything.
 */
final class Known {
    private static final int SMALLEST = 64;

    private @Nullable String[] namespaces = new @Nullable String[SMALLEST];
    private @Nullable String[] names = new @Nullable String[SMALLEST];
    private long[] versions = new long[SMALLEST];
    private int[] marks = new int[SMALLEST];
    private int size;
    private int mark;

    int size() {
        return size;
    }

    /** Begins a list: nothing is marked. */
    void begin() {
        mark++;
    }

    /** Whether the object was told in this version; if so it is marked. */
    boolean isCurrent(String namespace, String name, String version) {
        int slot = slot(namespace, name);
        if (names[slot] == null || versions[slot] != digest(version)) {
            return false;
        }
        marks[slot] = mark;
        return true;
    }

    boolean contains(String namespace, String name) {
        return names[slot(namespace, name)] != null;
    }

    /** Marks an object without a change, if it is known. */
    void keep(String namespace, String name) {
        int slot = slot(namespace, name);
        if (names[slot] != null) {
            marks[slot] = mark;
        }
    }

    void put(String namespace, String name, String version) {
        if (size * 4 >= names.length * 3) {
            resize(names.length * 2);
        }
        int slot = slot(namespace, name);
        if (names[slot] == null) {
            size++;
        }
        // The newest strings: the older ones go with the older fact.
        namespaces[slot] = namespace;
        names[slot] = name;
        versions[slot] = digest(version);
        marks[slot] = mark;
    }

    /** Forgets an object, if it is known. */
    void remove(String namespace, String name) {
        int slot = slot(namespace, name);
        if (names[slot] != null) {
            size--;
            close(slot);
        }
    }

    /** Ends a list: forgets, and tells, what has no mark. */
    void sweep(BiConsumer<String, String> vanished) {
        boolean[] gone = new boolean[names.length];
        int left = size;
        for (int i = 0; i < names.length; i++) {
            String namespace = namespaces[i];
            String name = names[i];
            if (namespace != null && name != null && marks[i] != mark) {
                vanished.accept(namespace, name);
                gone[i] = true;
                left--;
            }
        }
        size = left;
        rebuild(gone, Math.max(SMALLEST, capacity(size)));
    }

    /** Versions are only compared for being equal, so a number will do. */
    private static long digest(String version) {
        long digest = version.length();
        for (int i = 0; i < version.length(); i++) {
            digest = digest * 1_000_003 + version.charAt(i);
        }
        return digest;
    }

    private static int capacity(int objects) {
        return Integer.highestOneBit(Math.max(1, objects) * 3 / 2) * 2;
    }

    private void resize(int capacity) {
        rebuild(new boolean[names.length], capacity);
    }

    private void rebuild(boolean[] without, int capacity) {
        @Nullable String[] oldNamespaces = namespaces;
        @Nullable String[] oldNames = names;
        long[] oldVersions = versions;
        int[] oldMarks = marks;
        namespaces = new @Nullable String[capacity];
        names = new @Nullable String[capacity];
        versions = new long[capacity];
        marks = new int[capacity];
        for (int i = 0; i < oldNames.length; i++) {
            String namespace = oldNamespaces[i];
            String name = oldNames[i];
            if (namespace != null && name != null && !without[i]) {
                int slot = slot(namespace, name);
                namespaces[slot] = namespace;
                names[slot] = name;
                versions[slot] = oldVersions[i];
                marks[slot] = oldMarks[i];
            }
        }
    }

    /** Where the object is, or the free slot where it would be put. */
    private int slot(String namespace, String name) {
        int slot = home(namespace, name);
        while (names[slot] != null && !(name.equals(names[slot]) && namespace.equals(namespaces[slot]))) {
            slot = (slot + 1) & (names.length - 1);
        }
        return slot;
    }

    private int home(String namespace, String name) {
        int hash = (namespace.hashCode() * 31 + name.hashCode()) * 0x9e3779b9;
        return (hash ^ hash >>> 16) & (names.length - 1);
    }

    /** Frees a slot and moves up what had to go past it. */
    private void close(int free) {
        int hole = free;
        int at = free;
        while (true) {
            at = (at + 1) & (names.length - 1);
            String namespace = namespaces[at];
            String name = names[at];
            if (namespace == null || name == null) {
                break;
            }
            int distance = (at - home(namespace, name)) & (names.length - 1);
            if (distance >= ((at - hole) & (names.length - 1))) {
                namespaces[hole] = namespace;
                names[hole] = name;
                versions[hole] = versions[at];
                marks[hole] = marks[at];
                hole = at;
            }
        }
        namespaces[hole] = null;
        names[hole] = null;
    }
}
