package dev.cairn.wire;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;

/** A packet written field by field, right or wrong. Names are put into wire form by dnsjava. */
public final class Packet {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** A header with ID 0x1234. */
    public static Packet header(int flags, int questions, int answers, int authorities, int additionals) {
        return new Packet().u16(0x1234, flags, questions, answers, authorities, additionals);
    }

    /** A query for the IN class with RD set. */
    public static Packet query(String name, int type) {
        return header(0x0100, 1, 0, 0, 0).name(name).u16(type, 1);
    }

    /** The same with room for one OPT in the counts. */
    public static Packet ednsQuery(String name, int type) {
        return header(0x0100, 1, 0, 0, 1).name(name).u16(type, 1);
    }

    public Packet u8(int... values) {
        for (int value : values) {
            bytes.write(value);
        }
        return this;
    }

    public Packet u16(int... values) {
        for (int value : values) {
            u8(value >>> 8, value);
        }
        return this;
    }

    public Packet name(String name) {
        return raw(wire(name));
    }

    public Packet raw(byte[] more) {
        bytes.writeBytes(more);
        return this;
    }

    /** A label of {@code length} times {@code content}, with its true length before it. */
    public Packet label(int length, char content) {
        u8(length);
        for (int i = 0; i < length; i++) {
            u8(content);
        }
        return this;
    }

    /** OPT with a root owner. */
    public Packet opt(int udpSize, int version, int flags, int... options) {
        return u8(0).optBody(udpSize, version, flags, options);
    }

    public Packet optBody(int udpSize, int version, int flags, int... options) {
        return u16(41, udpSize).u8(0, version).u16(flags, options.length).u8(options);
    }

    /** An A record of the root. */
    public Packet aRecord() {
        return u8(0).u16(1, 1, 0, 30, 4).u8(192, 0, 2, 1);
    }

    public byte[] toBytes() {
        return bytes.toByteArray();
    }

    public Packet cut(int length) {
        return new Packet().raw(Arrays.copyOf(toBytes(), length));
    }

    /** The verdict of a fresh view, over a buffer whose spare bytes are not zero. */
    public Verdict verdict() {
        return readInto(new QueryView());
    }

    public Verdict readInto(QueryView view) {
        byte[] packet = toBytes();
        byte[] buffer = view.buffer(packet.length);
        Arrays.fill(buffer, (byte) 'Z');
        System.arraycopy(packet, 0, buffer, 0, packet.length);
        return view.read(packet.length);
    }

    public QueryView view() {
        QueryView view = new QueryView();
        Verdict verdict = readInto(view);
        if (verdict != Verdict.ANSWER) {
            throw new IllegalStateException("not a proper query: " + verdict);
        }
        return view;
    }

    static byte[] wire(String name) {
        return name(name, Name.root).toWire();
    }

    static Name name(String name, Name origin) {
        try {
            return Name.fromString(name, origin);
        } catch (TextParseException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
