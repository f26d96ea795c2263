package dev.cairn.proxy.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A request in the making: a head, the fixed part of its kind, attributes. Used by one thread. */
public final class Message {
    public static final int REQUEST = 1;
    public static final int ACK = 4;
    public static final int DUMP = 0x300;
    public static final int EXCL = 0x200;
    public static final int CREATE = 0x400;

    static final int HEADER = 16;
    private static final int USUAL = 256;

    private ByteBuffer buffer = ByteBuffer.allocate(USUAL).order(ByteOrder.nativeOrder());

    /** Begins a request; the socket adds what makes it one that is answered. */
    public Message(int type, int flags) {
        buffer.putInt(0).putShort((short) type).putShort((short) (flags | REQUEST)).putInt(0).putInt(0);
    }

    private ByteBuffer room(int bytes) {
        if (buffer.remaining() < bytes) {
            ByteBuffer larger = ByteBuffer.allocate(Math.max(2 * buffer.capacity(), buffer.position() + bytes)).order(ByteOrder.nativeOrder());
            buffer = larger.put(buffer.flip());
        }
        return buffer;
    }

    public Message u8(int value) {
        room(1).put((byte) value);
        return this;
    }

    public Message u16(int value) {
        room(2).putShort((short) value);
        return this;
    }

    public Message u32(int value) {
        room(4).putInt(value);
        return this;
    }

    /** An attribute of some bytes. */
    public Message attribute(int type, byte[] content) {
        int padded = content.length + 3 & ~3;
        room(4 + padded).putShort((short) (4 + content.length)).putShort((short) type).put(content);
        for (int i = content.length; i < padded; i++) {
            buffer.put((byte) 0);
        }
        return this;
    }

    /** A text with the zero at its end. */
    public Message text(int type, String content) {
        return attribute(type, (content + "\0").getBytes(StandardCharsets.US_ASCII));
    }

    public Message number8(int type, int value) {
        return attribute(type, new byte[] {(byte) value});
    }

    public Message number16(int type, int value) {
        room(8).putShort((short) 6).putShort((short) type).putShort((short) value).putShort((short) 0);
        return this;
    }

    public Message number32(int type, int value) {
        room(8).putShort((short) 8).putShort((short) type).putInt(value);
        return this;
    }

    /** A port, in the order of bytes that the network has. */
    public Message port(int type, int port) {
        return attribute(type, new byte[] {(byte) (port >> 8), (byte) port});
    }

    /** Attributes as they came in an answer, with their heads. */
    public Message copy(ByteBuffer attributes) {
        ByteBuffer from = attributes.duplicate();
        room(from.remaining()).put(from);
        return this;
    }

    /** Begins an attribute of attributes; what to give to {@code end}. */
    public int begin(int type) {
        int at = buffer.position();
        room(4).putShort((short) 4).putShort((short) type);
        return at;
    }

    public Message end(int begun) {
        buffer.putShort(begun, (short) (buffer.position() - begun));
        return this;
    }

    /** How long it is up to now. */
    public int length() {
        return buffer.position();
    }

    /** The finished request, asking for an acknowledgement or a dump. */
    ByteBuffer finish(int sequence, int flags) {
        short all = (short) (buffer.getShort(6) | flags);
        buffer.putInt(0, buffer.position()).putShort(6, all).putInt(8, sequence);
        return buffer.duplicate().order(ByteOrder.nativeOrder()).flip();
    }

    /** The bytes of the request with a number; for tests that hold it against what is written elsewhere. */
    public byte[] bytes(int sequence, int flags) {
        ByteBuffer all = finish(sequence, flags);
        byte[] bytes = new byte[all.remaining()];
        all.get(bytes);
        return bytes;
    }
}
