package dev.cairn.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;

/** What a client has sent and nobody has read yet: a part of a request's head, or some requests at once. Owned by the HTTP thread. */
final class RequestBuffer {
    /** Enough for a probe. */
    private static final int SMALLEST = 512;

    private final int limit;
    private byte[] bytes;
    private int filled;
    /** How many bytes are known not to hold the end of a head, so that one that comes byte by byte is not searched each time. */
    private int searched;

    RequestBuffer(int limit) {
        this.limit = limit;
        bytes = new byte[Math.min(SMALLEST, limit)];
    }

    /** Reads what has come, as far as there is room; false if the client sends no more. */
    boolean fill(ReadableByteChannel channel) throws IOException {
        if (filled == bytes.length) {
            if (filled == limit) {
                return true;
            }
            bytes = Arrays.copyOf(bytes, Math.min(limit, 2 * bytes.length));
        }
        int read = channel.read(ByteBuffer.wrap(bytes, filled, bytes.length - filled));
        filled += Math.max(0, read);
        return read >= 0;
    }

    /**
     * How long the head is that begins here; 0 if its end has not come. Lines may end without a CR, and empty ones before a request mean
     * nothing (RFC 9112 section 2.2).
     */
    int headLength() {
        dropEmptyLines();
        for (int i = Math.max(1, searched); i < filled; i++) {
            if (bytes[i] == '\n' && (bytes[i - 1] == '\n' || (i > 1 && bytes[i - 1] == '\r' && bytes[i - 2] == '\n'))) {
                return i + 1;
            }
        }
        searched = filled;
        return 0;
    }

    private void dropEmptyLines() {
        int at = 0;
        while (at < filled && (bytes[at] == '\n' || (bytes[at] == '\r' && at + 1 < filled && bytes[at + 1] == '\n'))) {
            at += bytes[at] == '\n' ? 1 : 2;
        }
        if (at > 0) {
            drop(at);
        }
    }

    /** The bytes, for {@link #headLength} of them to be read. */
    byte[] bytes() {
        return bytes;
    }

    /** Forgets the first bytes. */
    void drop(int count) {
        filled -= count;
        searched = 0;
        byte[] kept = filled <= SMALLEST && bytes.length > SMALLEST ? new byte[SMALLEST] : bytes;
        System.arraycopy(bytes, count, kept, 0, filled);
        bytes = kept;
    }

    boolean isEmpty() {
        return filled == 0;
    }

    boolean isFull() {
        return filled == limit;
    }

    /** Whether the first line has come. */
    boolean hasLine() {
        for (int i = 0; i < filled; i++) {
            if (bytes[i] == '\n') {
                return true;
            }
        }
        return false;
    }
}
