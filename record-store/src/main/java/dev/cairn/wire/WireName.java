package dev.cairn.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A domain name as lower-cased wire bytes, with its hash: what zones, hosts and clusters are keyed by. Immutable. */
public final class WireName implements Comparable<WireName> {
    /** The longest name on the wire, the final zero included (RFC 1035 section 2.3.4). */
    public static final int MAX_LENGTH = 255;

    public static final int MAX_LABEL = 63;
    public static final WireName ROOT = new WireName(new byte[] {0});

    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

    private final byte[] bytes;
    private final int hash;

    private WireName(byte[] bytes) {
        this(bytes, hash(bytes, 0, bytes.length));
    }

    private WireName(byte[] bytes, int hash) {
        this.bytes = bytes;
        this.hash = hash;
    }

    /** Takes over what is in lower case already, and its hash. */
    static WireName ofLower(byte[] from, int length, int hash) {
        return new WireName(Arrays.copyOf(from, length), hash);
    }

    /** Takes a name out of a message or a larger array, lower-cased; the bytes must be a whole uncompressed name. */
    public static WireName of(byte[] from, int at, int length) {
        byte[] copy = new byte[length];
        for (int i = 0; i < length; i++) {
            copy[i] = Bytes.lower(from[at + i]);
        }
        return new WireName(copy);
    }

    /**
     * Reads presentation form, absolute whether or not the last dot is written, with {@code \.} and {@code \DDD} escapes.
     *
     * @throws IllegalArgumentException with a sentence for the user if the text is not a name
     */
    public static WireName parse(String text) {
        byte[] in = text.getBytes(StandardCharsets.UTF_8);
        return parse(in, 0, in.length);
    }

    /** The same of a part of an array, in UTF-8. */
    public static WireName parse(byte[] in, int from, int to) {
        if (to - from == 1 && in[from] == '.') {
            return ROOT;
        }
        byte[] out = new byte[to - from + 2];
        int labelAt = 0;
        int end = 1;
        for (int i = from; i < to; i++) {
            if (in[i] == '.') {
                endLabel(in, from, to, out, labelAt, end);
                labelAt = end++;
            } else if (in[i] == '\\') {
                int taken = escape(in, from, to, i);
                out[end++] = (byte) (taken == 3 ? decimal(in, i + 1) : in[i + 1]);
                i += taken;
            } else {
                out[end++] = in[i];
            }
        }
        if (end > labelAt + 1) {
            endLabel(in, from, to, out, labelAt, end);
            out[end++] = 0;
        } else if (labelAt == 0) {
            throw new IllegalArgumentException("a name must not be empty");
        }
        if (end > MAX_LENGTH) {
            throw new IllegalArgumentException("'" + text(in, from, to) + "' is longer than " + MAX_LENGTH + " bytes");
        }
        return of(out, 0, end);
    }

    /** As {@link #parse}; null if the text is not a name. */
    public static @Nullable WireName orNull(String text) {
        try {
            return parse(text);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    private static String text(byte[] in, int from, int to) {
        return new String(in, from, to - from, StandardCharsets.UTF_8);
    }

    private static void endLabel(byte[] in, int from, int to, byte[] out, int labelAt, int end) {
        int length = end - labelAt - 1;
        if (length == 0) {
            throw new IllegalArgumentException("'" + text(in, from, to) + "' has an empty label");
        }
        if (length > MAX_LABEL) {
            throw new IllegalArgumentException("'" + text(in, from, to) + "' has a label longer than " + MAX_LABEL + " bytes");
        }
        out[labelAt] = (byte) length;
    }

    private static int escape(byte[] in, int from, int to, int at) {
        boolean threeDigits = at + 3 < to && isDigit(in[at + 1]) && isDigit(in[at + 2]) && isDigit(in[at + 3]);
        if (at + 1 >= to || (isDigit(in[at + 1]) && (!threeDigits || decimal(in, at + 1) > 255))) {
            throw new IllegalArgumentException("'" + text(in, from, to) + "' has a broken escape");
        }
        return threeDigits ? 3 : 1;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static int decimal(byte[] in, int at) {
        return (in[at] - '0') * 100 + (in[at + 1] - '0') * 10 + (in[at + 2] - '0');
    }

    /** The position after the name at {@code at}, -1 if it runs out of the message. A pointer ends a name and is not followed. */
    static int skip(byte[] message, int at, int length) {
        int i = at;
        while (i < length) {
            int label = Bytes.u8(message, i);
            if (label == 0) {
                return i + 1;
            }
            if (label >= 0xc0) {
                return i + 2;
            }
            if (label > MAX_LABEL) {
                return -1;
            }
            i += label + 1;
        }
        return -1;
    }

    /** The hash of lower-cased bytes; equal for equal names wherever they lie. */
    public static int hash(byte[] bytes, int at, int length) {
        long hash = length;
        int i = at;
        for (int end = at + length - 8; i <= end; i += 8) {
            hash = (hash ^ Bytes.word(bytes, i)) * HASH_FACTOR;
            hash ^= hash >>> 32;
        }
        long rest = 0;
        for (int shift = 0; i < at + length; i++, shift += 8) {
            rest |= (long) Bytes.u8(bytes, i) << shift;
        }
        hash = (hash ^ rest) * HASH_FACTOR;
        return (int) (hash ^ (hash >>> 32));
    }

    /** The name that these labels, in presentation form and without a last dot, have under this one, which may be the root. */
    public WireName child(String labels) {
        return parse(equals(ROOT) ? labels + "." : labels + "." + this);
    }

    public int length() {
        return bytes.length;
    }

    public int labelCount() {
        int count = 0;
        for (int i = 0; bytes[i] != 0; i += bytes[i] + 1) {
            count++;
        }
        return count;
    }

    /** Whether this name is {@code zone} or below it. */
    public boolean isWithin(WireName zone) {
        int at = bytes.length - zone.bytes.length;
        for (int i = 0; i <= at; i += bytes[i] + 1) {
            if (i == at) {
                return Arrays.equals(bytes, at, bytes.length, zone.bytes, 0, zone.bytes.length);
            }
        }
        return false;
    }

    /** Whether the region holds exactly this name, given in lower case. */
    public boolean matches(byte[] other, int at, int length) {
        return Arrays.equals(bytes, 0, bytes.length, other, at, at + length);
    }

    /** Copies the name to {@code to} and returns the position after it. */
    public int copyTo(byte[] to, int at) {
        System.arraycopy(bytes, 0, to, at, bytes.length);
        return at + bytes.length;
    }

    /** Its bytes themselves, to be left unchanged. */
    public byte[] array() {
        return bytes;
    }

    /** Presentation form with the last dot, special bytes escaped. */
    public static String toText(byte[] bytes, int at) {
        if (bytes[at] == 0) {
            return ".";
        }
        StringBuilder text = new StringBuilder(64);
        for (int i = at; bytes[i] != 0; i += bytes[i] + 1) {
            for (int j = i + 1; j <= i + bytes[i]; j++) {
                appendEscaped(text, Bytes.u8(bytes, j));
            }
            text.append('.');
        }
        return text.toString();
    }

    private static void appendEscaped(StringBuilder text, int b) {
        if (b <= ' ' || b >= 0x7f) {
            text.append('\\').append((char) ('0' + b / 100)).append((char) ('0' + b / 10 % 10)).append((char) ('0' + b % 10));
        } else {
            if (".\\\"();@$".indexOf(b) >= 0) {
                text.append('\\');
            }
            text.append((char) b);
        }
    }

    @Override
    public String toString() {
        return toText(bytes, 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WireName that && hash == that.hash && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public int compareTo(WireName that) {
        return Arrays.compareUnsigned(bytes, that.bytes);
    }
}
