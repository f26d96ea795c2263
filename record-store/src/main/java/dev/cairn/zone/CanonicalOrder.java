package dev.cairn.zone;

import dev.cairn.wire.WireName;
import java.util.Arrays;

/** The order of names that NSEC records go by (RFC 4034 section 6.1), as keys that compare byte by byte. */
final class CanonicalOrder {
    private static final byte END_OF_LABEL = 0;
    private static final byte ESCAPE = 1;

    private CanonicalOrder() {}

    static byte[] key(WireName name) {
        byte[] bytes = new byte[name.length()];
        name.copyTo(bytes, 0);
        return key(bytes, bytes.length);
    }

    /** The labels from the last to the first, each ended by a byte below all others; the lowest two are written as two bytes. */
    static byte[] key(byte[] name, int length) {
        int[] labels = new int[128];
        int count = 0;
        for (int at = 0; at < length - 1; at += name[at] + 1) {
            labels[count++] = at;
        }
        byte[] key = new byte[2 * length];
        int end = 0;
        for (int i = count - 1; i >= 0; i--) {
            for (int at = labels[i] + 1; at <= labels[i] + name[labels[i]]; at++) {
                boolean low = name[at] == END_OF_LABEL || name[at] == ESCAPE;
                if (low) {
                    key[end++] = ESCAPE;
                }
                key[end++] = (byte) (low ? name[at] + 1 : name[at]);
            }
            key[end++] = END_OF_LABEL;
        }
        return Arrays.copyOf(key, end);
    }
}
