package dev.cairn.cluster.api;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Protobuf messages as they arrive; only one at a time is in memory. Owned by one thread. */
final class ProtoInput {
    /** An object has at most 1.5 MB, the limit of etcd; this is far above. */
    private static final int MOST = 1 << 25;

    private final InputStream in;
    private final Proto proto = new Proto();
    private byte[] buffer = new byte[1 << 15];
    private int at;
    private int end;
    /** What was read before the buffer's beginning. */
    private long passed;

    ProtoInput(InputStream in) {
        this.in = in;
    }

    /** How much was read. */
    long position() {
        return passed + at;
    }

    /** Reads a message of the given length, which stays until the next is read. */
    Proto message(long length) throws IOException {
        int from = skip(length);
        proto.reset(buffer, from, at);
        return proto;
    }

    /** Reads some bytes; where in the buffer they begin. */
    private int skip(long length) throws IOException {
        if (length < 0 || length > MOST) {
            throw new IOException("an object of " + length + " bytes");
        }
        need((int) length);
        int from = at;
        at += (int) length;
        return from;
    }

    /** Reads a field that is of no use. */
    void skipField(int tag) throws IOException {
        switch (tag & 7) {
            case Proto.VARINT -> varint();
            case Proto.BYTES -> skip(varint());
            default -> throw new IOException("the answer is not a list");
        }
    }

    int octet() throws IOException {
        need(1);
        return buffer[at++] & 0xff;
    }

    long varint() throws IOException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int octet = octet();
            value |= (long) (octet & 0x7f) << shift;
            if (octet < 0x80) {
                return value;
            }
        }
        throw new IOException("the answer is not a list");
    }

    boolean hasMore() throws IOException {
        return at < end || fill();
    }

    private void need(int count) throws IOException {
        while (end - at < count) {
            if (buffer.length - at < count) {
                makeRoom(count);
            }
            if (!fill()) {
                throw new EOFException("the answer is cut");
            }
        }
    }

    private boolean fill() throws IOException {
        if (end == buffer.length) {
            makeRoom(1);
        }
        int count = in.read(buffer, end, buffer.length - end);
        end += Math.max(0, count);
        return count >= 0;
    }

    /** Moves what is not yet read to the front. */
    private void makeRoom(int count) {
        byte[] to = count > buffer.length ? new byte[Math.max(count, buffer.length * 2)] : buffer;
        System.arraycopy(buffer, at, to, 0, end - at);
        buffer = to;
        passed += at;
        end -= at;
        at = 0;
    }
}
