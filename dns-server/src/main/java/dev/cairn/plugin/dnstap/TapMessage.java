package dev.cairn.plugin.dnstap;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes one message of dnstap.proto after the other, as protocol buffers by hand: there are but a dozen fields. Owned by one thread.
 */
final class TapMessage {
    static final int CLIENT_QUERY = 5;
    static final int CLIENT_RESPONSE = 6;
    static final int FORWARDER_QUERY = 7;
    static final int FORWARDER_RESPONSE = 8;

    // The fields of Message with their wire types (dnstap.proto; 0 is a varint, 2 bytes with their length, 5 four bytes).
    private static final int TYPE = 1 << 3;
    private static final int SOCKET_FAMILY = 2 << 3;
    private static final int SOCKET_PROTOCOL = 3 << 3;
    private static final int QUERY_ADDRESS = 4 << 3 | 2;
    private static final int RESPONSE_ADDRESS = 5 << 3 | 2;
    private static final int QUERY_PORT = 6 << 3;
    private static final int RESPONSE_PORT = 7 << 3;
    private static final int QUERY_TIME_SEC = 8 << 3;
    private static final int QUERY_TIME_NSEC = 9 << 3 | 5;
    private static final int QUERY_MESSAGE = 10 << 3 | 2;
    private static final int RESPONSE_TIME_SEC = 12 << 3;
    private static final int RESPONSE_TIME_NSEC = 13 << 3 | 5;
    private static final int RESPONSE_MESSAGE = 14 << 3 | 2;

    // The fields of Dnstap.
    private static final int IDENTITY = 1 << 3 | 2;
    private static final int VERSION = 2 << 3 | 2;
    private static final int EXTRA = 3 << 3 | 2;
    private static final int MESSAGE = 14 << 3 | 2;
    private static final int KIND = 15 << 3;
    private static final int KIND_MESSAGE = 1;

    private static final int INET = 1;
    private static final int INET6 = 2;
    private static final long BILLION = 1_000_000_000;

    private byte[] bytes = new byte[1024];
    private int end;

    /** Begins a message with its type and the socket it came over: 1 for UDP and 2 for TCP. */
    TapMessage begin(int type, boolean ipv4, int protocol) {
        end = 0;
        field(TYPE, type);
        field(SOCKET_FAMILY, ipv4 ? INET : INET6);
        field(SOCKET_PROTOCOL, protocol);
        return this;
    }

    TapMessage addresses(byte[] query, byte[] response, int queryPort, int responsePort) {
        field(QUERY_ADDRESS, query, 0, query.length);
        field(RESPONSE_ADDRESS, response, 0, response.length);
        field(QUERY_PORT, queryPort);
        field(RESPONSE_PORT, responsePort);
        return this;
    }

    /** @param nanos since 1970 */
    TapMessage queryTime(long nanos) {
        field(QUERY_TIME_SEC, nanos / BILLION);
        field4(QUERY_TIME_NSEC, (int) (nanos % BILLION));
        return this;
    }

    TapMessage responseTime(long nanos) {
        field(RESPONSE_TIME_SEC, nanos / BILLION);
        field4(RESPONSE_TIME_NSEC, (int) (nanos % BILLION));
        return this;
    }

    TapMessage message(boolean response, byte[] from, int at, int length) {
        field(response ? RESPONSE_MESSAGE : QUERY_MESSAGE, from, at, length);
        return this;
    }

    /** What every frame of a server begins with. */
    static byte[] head(String identity, String version) {
        TapMessage head = new TapMessage();
        head.text(IDENTITY, identity);
        head.text(VERSION, version);
        return Arrays.copyOf(head.bytes, head.end);
    }

    /** The whole as a data frame (Frame Streams): its length in four bytes, then the message in its envelope. */
    byte[] frame(byte[] head, String extra) {
        TapMessage envelope = new TapMessage();
        envelope.append(new byte[4], 0, 4);
        envelope.append(head, 0, head.length);
        if (!extra.isEmpty()) {
            envelope.text(EXTRA, extra);
        }
        envelope.field(MESSAGE, bytes, 0, end);
        envelope.field(KIND, KIND_MESSAGE);
        byte[] frame = Arrays.copyOf(envelope.bytes, envelope.end);
        int length = frame.length - 4;
        for (int i = 0; i < 4; i++) {
            frame[i] = (byte) (length >>> (8 * (3 - i)));
        }
        return frame;
    }

    private void text(int tag, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        field(tag, utf8, 0, utf8.length);
    }

    private void field(int tag, long value) {
        varint(tag);
        varint(value);
    }

    private void field4(int tag, int value) {
        varint(tag);
        byte[] four = {(byte) value, (byte) (value >>> 8), (byte) (value >>> 16), (byte) (value >>> 24)};
        append(four, 0, 4);
    }

    private void field(int tag, byte[] from, int at, int length) {
        varint(tag);
        varint(length);
        append(from, at, length);
    }

    private void varint(long value) {
        room(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[end++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[end++] = (byte) rest;
    }

    private void append(byte[] from, int at, int length) {
        room(length);
        System.arraycopy(from, at, bytes, end, length);
        end += length;
    }

    private void room(int more) {
        if (end + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, end + more));
        }
    }
}
