package dev.cairn.cluster.api;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads a list in the API server's protobuf form as it arrives: an envelope ({@code k8s\0} and a message {@code runtime.Unknown}) around
 * metadata and items. Only one item at a time is in memory.
 */
final class ProtoList {
    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int ENVELOPE_CONTENT = 2;
    private static final int METADATA = 1;
    private static final int ITEM = 2;
    private static final int BYTES = 2;
    /** An object has at most 1.5 MB, the limit of etcd; this is far above. */
    private static final int MOST = 1 << 25;

    private final InputStream in;
    private final Proto proto = new Proto();
    private byte[] buffer = new byte[1 << 15];
    private int at;
    private int end;
    /** What was read before the buffer's beginning. */
    private long passed;

    ProtoList(InputStream in) {
        this.in = in;
    }

    /** Reads to the end of the body, so that the connection can be used again. */
    void read(Proto.Field metadata, Reader item) throws IOException {
        need(MAGIC.length);
        if (!Arrays.equals(buffer, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new IOException("the answer is not in the protobuf form of Kubernetes");
        }
        at = MAGIC.length;
        while (hasMore()) {
            int tag = (int) varint();
            if (tag == (ENVELOPE_CONTENT << 3 | BYTES)) {
                long length = varint();
                content(passed + at + length, metadata, item);
            } else {
                skip(tag);
            }
        }
    }

    /** Reads an item. */
    interface Reader {
        void read(Proto item) throws IOException;
    }

    private void content(long until, Proto.Field metadata, Reader item) throws IOException {
        while (passed + at < until) {
            int tag = (int) varint();
            if (tag == (METADATA << 3 | BYTES)) {
                int length = length();
                proto.reset(buffer, at, at + length);
                proto.fields(metadata);
                at += length;
            } else if (tag == (ITEM << 3 | BYTES)) {
                int length = length();
                proto.reset(buffer, at, at + length);
                item.read(proto);
                at += length;
            } else {
                skip(tag);
            }
        }
    }

    /** Reads a length and has that many bytes in the buffer. */
    private int length() throws IOException {
        long length = varint();
        if (length < 0 || length > MOST) {
            throw new IOException("an object of " + length + " bytes");
        }
        need((int) length);
        return (int) length;
    }

    private void skip(int tag) throws IOException {
        switch (tag & 7) {
            case 0 -> varint();
            case BYTES -> {
                int length = length();   // moves the position itself
                at += length;
            }
            default -> throw new IOException("the answer is not a list");
        }
    }

    private long varint() throws IOException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            need(1);
            byte b = buffer[at++];
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IOException("the answer is not a list");
    }

    private boolean hasMore() throws IOException {
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
