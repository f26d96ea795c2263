package dev.cairn.wire;

/** The bits of a message header's second 16-bit word (RFC 1035 section 4.1.1, RFC 4035 section 3). */
public final class HeaderFlag {
    public static final int QR = 0x8000;
    public static final int OPCODE_MASK = 0x7800;
    /** The opcode NOTIFY (RFC 1996 section 3.7). */
    public static final int NOTIFY = 0x2000;
    public static final int AA = 0x0400;
    public static final int TC = 0x0200;
    public static final int RD = 0x0100;
    public static final int RA = 0x0080;
    public static final int Z = 0x0040;
    public static final int AD = 0x0020;
    public static final int CD = 0x0010;
    public static final int RCODE_MASK = 0x000f;

    private HeaderFlag() {}

    /** The lower-case names of the set flags joined by commas, in header order, as query logs print them; empty if none is set. */
    public static String toText(int flags) {
        StringBuilder text = new StringBuilder(20);
        append(text, flags, QR, "qr");
        append(text, flags, AA, "aa");
        append(text, flags, TC, "tc");
        append(text, flags, RD, "rd");
        append(text, flags, RA, "ra");
        append(text, flags, Z, "z");
        append(text, flags, AD, "ad");
        append(text, flags, CD, "cd");
        return text.toString();
    }

    private static void append(StringBuilder text, int flags, int bit, String name) {
        if ((flags & bit) != 0) {
            text.append(text.isEmpty() ? "" : ",").append(name);
        }
    }
}
