package dev.cairn.proxy.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of an answer; it is valid as long as the answer.
 *
 * @param content without its head
 * @param around with it
 */
public record Attribute(int type, ByteBuffer content, ByteBuffer around) {
    /** The attributes from a place on. What does not fit is left out. */
    public static List<Attribute> list(ByteBuffer buffer, int from) {
        ByteBuffer rest = buffer.slice(Math.min(from, buffer.limit()), Math.max(0, buffer.limit() - from)).order(ByteOrder.nativeOrder());
        List<Attribute> all = new ArrayList<>();
        while (rest.remaining() >= 4) {
            int at = rest.position();
            int length = rest.getShort(at) & 0xffff;
            if (length < 4 || length > rest.remaining()) {
                break;
            }
            int padded = Math.min(rest.remaining(), length + 3 & ~3);
            // The highest two bits say that it is nested, and its byte order.
            all.add(new Attribute(rest.getShort(at + 2) & 0x3fff, rest.slice(at + 4, length - 4).order(ByteOrder.nativeOrder()), rest.slice(at, padded)));
            rest.position(at + padded);
        }
        return all;
    }

    /** Those inside of it. */
    public List<Attribute> parts() {
        return list(content, 0);
    }

    public byte[] bytes() {
        byte[] bytes = new byte[content.remaining()];
        content.duplicate().get(bytes);
        return bytes;
    }

    /** A number of one, two or four bytes in the machine's order. */
    public int number() {
        return switch (content.remaining()) {
            case 1 -> content.get(0) & 0xff;
            case 2 -> content.getShort(0) & 0xffff;
            default -> content.remaining() < 4 ? 0 : content.getInt(0);
        };
    }

    /** A number of two bytes in the network's order. */
    public int port() {
        return content.remaining() < 2 ? 0 : (content.get(0) & 0xff) << 8 | (content.get(1) & 0xff);
    }

    /** A text up to its zero. */
    public String text() {
        String all = new String(bytes(), StandardCharsets.US_ASCII);
        int end = all.indexOf('\0');
        return end < 0 ? all : all.substring(0, end);
    }

    /** A copy with its head, for a request of ours. */
    public ByteBuffer whole() {
        return ByteBuffer.allocate(around.remaining()).put(around.duplicate()).flip();
    }
}
