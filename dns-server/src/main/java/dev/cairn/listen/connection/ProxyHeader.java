package dev.cairn.listen.connection;

import dev.cairn.wire.Bytes;
import dev.cairn.wire.IpAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A PROXY header, in its form of one line (version 1) or of bytes (version 2), as HAProxy's specification has them. Addresses are empty
 * if the load balancer speaks for itself, as it does in its health checks, or of a family we do not know.
 *
 * @param length how many bytes it takes
 * @param datagrams whether it is about datagrams
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ProxyHeader(int length, byte[] source, int sourcePort, byte[] destination, int destinationPort, boolean datagrams, byte[] tlvs) {
    private static final byte[] SIGNATURE = {0x0d, 0x0a, 0x0d, 0x0a, 0, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a};
    private static final byte[] LINE_START = "PROXY ".getBytes(StandardCharsets.US_ASCII);

    /** The longest header of version 1, its line end included. */
    private static final int MAX_LINE = 107;

    private static final int FIXED = 16;
    private static final int LOCAL = 0;
    private static final int PROXY = 1;
    private static final byte[] NONE = {};

    /** How the bytes at hand begin. */
    enum Start {
        /** With no header. */
        NONE,
        /** With what may become a header. */
        PARTIAL,
        /** With a header, or one that is wrong. */
        HEADER
    }

    /** The bytes are those of a header, but of none that the specification allows. */
    static final class BadHeader extends Exception {
        private static final long serialVersionUID = 1L;

        BadHeader(String message) {
            super(message, null, false, false);
        }
    }

    /** Looks at the first {@code length} bytes without taking any. */
    static Start start(byte[] bytes, int length) {
        if (isPrefix(SIGNATURE, bytes, length)) {
            if (length < FIXED) {
                return Start.PARTIAL;
            }
            return length < FIXED + Bytes.u16(bytes, 14) ? Start.PARTIAL : Start.HEADER;
        }
        if (isPrefix(LINE_START, bytes, length)) {
            return length >= MAX_LINE || lineEnd(bytes, length) >= 0 ? Start.HEADER : Start.PARTIAL;
        }
        return Start.NONE;
    }

    private static boolean isPrefix(byte[] of, byte[] bytes, int length) {
        int known = Math.min(of.length, length);
        return length > 0 && Arrays.equals(of, 0, known, bytes, 0, known);
    }

    private static int lineEnd(byte[] bytes, int length) {
        for (int i = LINE_START.length; i < Math.min(length, MAX_LINE); i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r') {
                return i + 1;
            }
        }
        return -1;
    }

    /** Whether a datagram begins with a header of the second version, the only one there is for datagrams. */
    static boolean startsDatagram(byte[] bytes, int length) {
        return length >= SIGNATURE.length && isPrefix(SIGNATURE, bytes, length);
    }

    /** Reads a header that is there as a whole. */
    static ProxyHeader read(byte[] bytes, int length) throws BadHeader {
        return bytes[0] == SIGNATURE[0] ? readBytes(bytes, length) : readLine(bytes, length);
    }

    private static ProxyHeader readLine(byte[] bytes, int length) throws BadHeader {
        int end = lineEnd(bytes, length);
        if (end < 0) {
            throw new BadHeader("the line does not end");
        }
        String[] words = new String(bytes, 0, end - 2, StandardCharsets.US_ASCII).split(" ", -1);
        if (words[1].equals("UNKNOWN")) {
            return unspecified(end);
        }
        byte[] source = words.length == 6 ? IpAddress.parse(words[2]) : null;
        byte[] destination = words.length == 6 ? IpAddress.parse(words[3]) : null;
        int width = words[1].equals("TCP4") ? 4 : words[1].equals("TCP6") ? 16 : 0;
        if (source == null || destination == null || source.length != width || destination.length != width) {
            throw new BadHeader("the line is not PROXY TCP4|TCP6 SOURCE DESTINATION PORT PORT");
        }
        return new ProxyHeader(end, source, port(words[4]), destination, port(words[5]), false, NONE);
    }

    private static int port(String word) throws BadHeader {
        if (word.matches("[0-9]{1,5}") && Integer.parseInt(word) <= 0xffff) {
            return Integer.parseInt(word);
        }
        throw new BadHeader("no port: " + word);
    }

    private static ProxyHeader unspecified(int length) {
        return new ProxyHeader(length, NONE, 0, NONE, 0, false, NONE);
    }

    private static ProxyHeader readBytes(byte[] bytes, int available) throws BadHeader {
        int version = available < FIXED ? 0 : Bytes.u8(bytes, 12) >> 4;
        int end = available < FIXED ? 0 : FIXED + Bytes.u16(bytes, 14);
        if (version != 2 || end > available) {
            throw new BadHeader("version 2 expected, or the header is cut off");
        }
        int command = Bytes.u8(bytes, 12) & 0xf;
        int family = Bytes.u8(bytes, 13) >> 4;
        int width = family == 1 ? 4 : family == 2 ? 16 : 0;
        if (command != LOCAL && command != PROXY) {
            throw new BadHeader("unknown command " + command);
        }
        if (command == LOCAL || width == 0) {
            return unspecified(end);
        }
        int tlvs = FIXED + 2 * width + 4;
        if (tlvs > end) {
            throw new BadHeader("too short for its addresses");
        }
        return new ProxyHeader(
                end,
                Arrays.copyOfRange(bytes, FIXED, FIXED + width),
                Bytes.u16(bytes, FIXED + 2 * width),
                Arrays.copyOfRange(bytes, FIXED + width, FIXED + 2 * width),
                Bytes.u16(bytes, FIXED + 2 * width + 2),
                (Bytes.u8(bytes, 13) & 0xf) == 2,
                tlvs == end ? NONE : Arrays.copyOfRange(bytes, tlvs, end));
    }

    /** Whether it names a client. */
    boolean namesClient() {
        return source.length > 0;
    }

    /** The fields after the addresses, if they are wanted. */
    byte[] tlvs(boolean wanted) {
        return wanted ? tlvs : NONE;
    }
}
