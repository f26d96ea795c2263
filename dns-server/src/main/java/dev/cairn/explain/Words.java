package dev.cairn.explain;

import dev.cairn.log.NearestWord;
import java.util.Collection;
import java.util.List;

/** Bits of sentences. */
final class Words {
    private Words() {}

    /** A guess what was meant, as the end of a sentence; empty if there is none. */
    static String near(String wrong, Collection<String> known) {
        String near = NearestWord.of(wrong, known);
        return near == null ? "" : "; did you mean " + near + "?";
    }

    /** {@code a}, {@code a and b}, or {@code a, b and c}. */
    static String and(List<String> words) {
        int last = words.size() - 1;
        return last < 1 ? String.join("", words) : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }
}
