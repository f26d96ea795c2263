package dev.cairn.cluster.api;

import dev.cairn.facts.Interner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the fields of a protobuf message in memory. A reader is called at each field; what it does not look at is skipped at no cost. Owned by
 * one thread.
 */
final class Proto {
    /** Reads a field of a message by its number. */
    interface Field {
        void read(int field, Proto proto) throws IOException;
    }

    /** Reads a message from its beginning. */
    interface Reader {
        void read(Proto message) throws IOException;
    }

    /** Takes a value as it stands in an array. */
    interface Taker {
        void take(byte[] bytes, int from, int to);
    }

    /** What the protobuf form of an object begins with; the rest is a message {@code runtime.Unknown}. */
    static final byte[] MARK = {'k', '8', 's', 0};
    /** The field of {@code runtime.Unknown} that holds the object. */
    static final int ENVELOPED = 2;

    static final int VARINT = 0;
    static final int BYTES = 2;
    private static final int FIXED64 = 1;
    private static final int FIXED32 = 5;
    private static final int SEEN = 1024;

    /** Some of the texts that were read, by their hash; all of one interner. */
    private final @Nullable String[] seen = new @Nullable String[SEEN];
    private byte[] bytes = new byte[0];
    private int at;
    private int limit;
    private int wire;
    private long number;
    private int valueAt;

    /** Goes to a message that lies in a larger array. */
    void reset(byte[] message, int from, int to) {
        bytes = message;
        at = from;
        limit = to;
    }

    /** Reads the message from where it is to its end. */
    void fields(Field reader) throws IOException {
        while (at < limit) {
            int tag = (int) varint();
            wire = tag & 7;
            valueAt = at;
            switch (wire) {
                case VARINT -> number = varint();
                case FIXED64 -> at += 8;
                case FIXED32 -> at += 4;
                case BYTES -> {
                    long length = varint();
                    if (length < 0 || length > limit - at) {
                        throw new IOException("a field of a protobuf message is longer than the message");
                    }
                    valueAt = at;
                    at += (int) length;
                }
                default -> throw new IOException("a protobuf message has a field of unknown kind " + wire);
            }
            int next = at;
            reader.read(tag >>> 3, this);
            at = next;
        }
    }

    /** Reads the message and goes back to where it was. */
    void peek(Field reader) throws IOException {
        int from = at;
        fields(reader);
        at = from;
    }

    /** Reads the field's value as a message. */
    void message(Field reader) throws IOException {
        if (wire == BYTES) {
            int outer = limit;
            limit = at;
            at = valueAt;
            fields(reader);
            limit = outer;
        }
    }

    /** Reads the field's value, an object in its envelope. */
    void object(Reader reader) throws IOException {
        if (wire != BYTES) {
            throw new IOException("an object is not in the protobuf form of Kubernetes");
        }
        inside(valueAt, value -> value.enveloped(reader));
    }

    /** Reads the object whose envelope begins where it is. */
    void enveloped(Reader reader) throws IOException {
        int from = at + MARK.length;
        if (limit < from || !Arrays.equals(bytes, at, from, MARK, 0, MARK.length)) {
            throw new IOException("an object is not in the protobuf form of Kubernetes");
        }
        at = from;
        fields((field, content) -> {
            if (field == ENVELOPED) {
                content.inside(content.valueAt, reader);
            }
        });
    }

    private void inside(int from, Reader reader) throws IOException {
        int outer = limit;
        limit = at;
        at = from;
        reader.read(this);
        limit = outer;
    }

    /** The field's value as a string, or empty. */
    String text() {
        return wire == BYTES ? new String(bytes, valueAt, at - valueAt, StandardCharsets.UTF_8) : "";
    }

    /** The field's value as a string, or empty; for texts that repeat, since most come out as the string that they were the last time, which is the interner's. */
    String repeatedText(Interner interner) {
        int hash = 0;
        for (int i = valueAt; i < at; i++) {
            hash = hash * 31 + bytes[i];
        }
        int place = (hash ^ hash >>> 8 ^ hash >>> 16) & (SEEN - 1);
        String before = seen[place];
        if (before != null && wire == BYTES && isText(before)) {
            return before;
        }
        String text = interner.of(text());
        seen[place] = text;
        return text;
    }

    private boolean isText(String text) {
        if (text.length() != at - valueAt) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) != bytes[valueAt + i]) {   // a byte of a character that takes several is negative, and no char is
                return false;
            }
        }
        return true;
    }

    /** Gives the field's value as it stands in the message; nothing if it is a number. */
    void value(Taker taker) {
        if (wire == BYTES) {
            taker.take(bytes, valueAt, at);
        }
    }

    /** The field's value as a number that fits into an int, or 0. */
    int number() {
        return wire == VARINT && number == (int) number ? (int) number : 0;
    }

    private long varint() throws IOException {
        long value = 0;
        for (int shift = 0; shift < 64 && at < limit; shift += 7) {
            byte b = bytes[at++];
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IOException("a protobuf message is cut or not one");
    }
}
