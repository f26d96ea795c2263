package dev.cairn.wire;

/** IP addresses as text, the way RFC 5952 and Go write them. */
public final class AddressText {
    private AddressText() {}

    /** The text of an address of 4 or 16 bytes. */
    public static String of(byte[] address) {
        StringBuilder text = new StringBuilder(39);
        append(text, address, address.length);
        return text.toString();
    }

    /** Appends the address in the first {@code length} bytes, 4 or 16. */
    public static void append(StringBuilder to, byte[] address, int length) {
        if (length == 4) {
            for (int i = 0; i < 4; i++) {
                to.append(i == 0 ? "" : ".").append(Bytes.u8(address, i));
            }
        } else {
            appendGroups(to, address);
        }
    }

    /** As {@link #append}, with an IPv6 address in brackets, so that a port may follow. */
    public static void appendBracketed(StringBuilder to, byte[] address, int length) {
        if (length == 4) {
            append(to, address, length);
        } else {
            to.append('[');
            append(to, address, length);
            to.append(']');
        }
    }

    private static void appendGroups(StringBuilder to, byte[] address) {
        int zeros = longestZeros(address);
        int start = zeros >>> 4;
        int end = start + (zeros & 0xf);
        for (int i = 0; i < 8; i++) {
            if (i == start && end > start) {
                to.append("::");
                i = end - 1;
            } else {
                to.append(i == 0 || i == end ? "" : ":").append(Integer.toHexString(Bytes.u16(address, 2 * i)));
            }
        }
    }

    /**
     * The first longest run of two or more zero groups (RFC 5952 section 4.2): where it starts in the upper bits, its length in the lower
     * four.
     */
    private static int longestZeros(byte[] address) {
        int best = 0;
        int length = 0;
        for (int i = 0; i < 8; i++) {
            length = Bytes.u16(address, 2 * i) == 0 ? length + 1 : 0;
            if (length > Math.max(1, best & 0xf)) {
                best = (i - length + 1) << 4 | length;
            }
        }
        return best;
    }
}
