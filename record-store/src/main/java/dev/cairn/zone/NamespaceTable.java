package dev.cairn.zone;

import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The namespaces of a zone by their labels: open addressing, at most half full. One thread adds, in place; readers take no lock. A namespace that was
 * forgotten holds nothing but its label, and makes room when the table is rebuilt.
 */
final class NamespaceTable {
    private static final int SMALLEST = 8;

    private volatile AtomicReferenceArray<Namespace> places = new AtomicReferenceArray<>(SMALLEST);
    private int used;

    /** A namespace, whose services may be known before it is. */
    static final class Namespace {
        /** As on the wire: its length, and its text in lower case. */
        private final byte[] label;
        private final int hash;
        private volatile @Nullable ServiceTable services;
        private volatile boolean exists;

        private Namespace(byte[] label) {
            this.label = label;
            this.hash = WireName.hash(label, 0, label.length);
        }

        /** Null if none has been known since it was forgotten. */
        @Nullable ServiceTable services() {
            return services;
        }

        boolean exists() {
            return exists;
        }

        void exists(boolean now) {
            exists = now;
        }

        /** Made if there are none. */
        ServiceTable madeServices() {
            ServiceTable known = services;
            if (known == null) {
                known = new ServiceTable();
                services = known;
            }
            return known;
        }

        private boolean isForgotten() {
            return !exists && services == null;
        }
    }

    /** The namespace that label {@code label} of the question's name stands for. */
    @Nullable Namespace find(QueryView query, int label) {
        int at = query.labelAt(label);
        return find(query.name(), at, query.name()[at] + 1);
    }

    private @Nullable Namespace find(byte[] name, int at, int length) {
        AtomicReferenceArray<Namespace> now = places;
        int hash = WireName.hash(name, at, length);
        int mask = now.length() - 1;
        for (int i = hash & mask; ; i = (i + 1) & mask) {
            Namespace there = now.getAcquire(i);
            if (there == null || (there.hash == hash && Arrays.equals(there.label, 0, there.label.length, name, at, at + length))) {
                return there;
            }
        }
    }

    // What follows is for the one thread that changes the table.

    /** The namespace of a name, made if there is none; null if the name cannot be a label. */
    @Nullable Namespace made(String name) {
        byte[] label = label(name);
        if (label.length < 2 || label.length > WireName.MAX_LABEL + 1) {
            return null;
        }
        Namespace known = find(label, 0, label.length);
        if (known == null) {
            known = new Namespace(label);
            add(known);
        }
        return known;
    }

    /** The namespace of a name, if it is known. */
    @Nullable Namespace get(String name) {
        byte[] label = label(name);
        return find(label, 0, label.length);
    }

    private static byte[] label(String name) {
        byte[] text = name.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
        byte[] label = new byte[text.length + 1];
        label[0] = (byte) text.length;
        System.arraycopy(text, 0, label, 1, text.length);
        return label;
    }

    /** Lets go of a namespace that has no services and does not exist. */
    void forget(String name) {
        Namespace known = get(name);
        if (known != null && !known.exists) {
            known.services = null;
        }
    }

    private void add(Namespace namespace) {
        if (used * 2 >= places.length()) {
            rebuild();
        }
        put(places, namespace);
        used++;
    }

    private static void put(AtomicReferenceArray<Namespace> in, Namespace namespace) {
        int mask = in.length() - 1;
        int i = namespace.hash & mask;
        while (in.getPlain(i) != null) {
            i = (i + 1) & mask;
        }
        in.setRelease(i, namespace);
    }

    private void rebuild() {
        AtomicReferenceArray<Namespace> before = places;
        int live = 0;
        for (int i = 0; i < before.length(); i++) {
            Namespace there = before.getPlain(i);
            live += there != null && !there.isForgotten() ? 1 : 0;
        }
        AtomicReferenceArray<Namespace> after = new AtomicReferenceArray<>(Math.max(SMALLEST, Integer.highestOneBit(live + 1) * 4));
        for (int i = 0; i < before.length(); i++) {
            Namespace there = before.getPlain(i);
            if (there != null && !there.isForgotten()) {
                put(after, there);
            }
        }
        used = live;
        places = after;
    }

    /** How many are held, those included that were forgotten and have not made room yet. */
    int size() {
        return used;
    }
}
