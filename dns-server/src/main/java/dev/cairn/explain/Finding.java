package dev.cairn.explain;

import java.util.List;

/**
 * What stands behind an answer, or behind that there is none.
 *
 * @param objects of the cluster that made it, or would
 * @param why in sentences, the most telling first
 */
record Finding(List<Thing> objects, List<String> why) {
    static final Finding NOTHING = new Finding(List.of(), List.of());

    /** An object of the cluster. */
    record Thing(String kind, String namespace, String name, String detail) {
        @Override
        public String toString() {
            return kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + name + (detail.isEmpty() ? "" : ": " + detail);
        }
    }

    Finding {
        objects = List.copyOf(objects);
        why = List.copyOf(why);
    }

    static Finding because(String sentence) {
        return new Finding(List.of(), List.of(sentence));
    }
}
