package dev.cairn.listen;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Native memory for a batch of datagrams: two arrays of {@code mmsghdr}, one to receive and one to send with, over the same buffers, so that
 * a reply takes the place of its query and goes back to the address that still lies beside it. Used by one thread. Layouts are those of
 * 64-bit Linux: {@code mmsghdr} 64 bytes, {@code iovec} 16, {@code sockaddr_in6} 28.
 */
final class MessageBatch {
    static final int NAME_SIZE = 28;
    static final int CONTROL_SIZE = 64;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int HEADER_SIZE = 64;
    private static final int IOVEC_SIZE = 16;
    private static final int NAME_STRIDE = 32;

    private static final int MSG_NAME = 0;
    private static final int MSG_NAMELEN = 8;
    private static final int MSG_IOV = 16;
    private static final int MSG_IOVLEN = 24;
    private static final int MSG_CONTROL = 32;
    private static final int MSG_CONTROLLEN = 40;
    private static final int MSG_FLAGS = 48;
    private static final int MSG_LEN = 56;

    private final int size;
    private final int bufferSize;
    private final MemorySegment received;
    private final MemorySegment sending;
    private final MemorySegment receiveVectors;
    private final MemorySegment sendVectors;
    private final MemorySegment buffers;
    private final MemorySegment names;
    private final MemorySegment controls;
    private int replies;

    MessageBatch(Arena arena, int size, int bufferSize) {
        this.size = size;
        this.bufferSize = bufferSize;
        received = arena.allocate((long) size * HEADER_SIZE, 8);
        sending = arena.allocate((long) size * HEADER_SIZE, 8);
        receiveVectors = arena.allocate((long) size * IOVEC_SIZE, 8);
        sendVectors = arena.allocate((long) size * IOVEC_SIZE, 8);
        buffers = arena.allocate((long) size * bufferSize, 64);
        names = arena.allocate((long) size * NAME_STRIDE, 8);
        controls = arena.allocate((long) size * CONTROL_SIZE, 8);
        for (int i = 0; i < size; i++) {
            vector(receiveVectors, i, i, bufferSize);
            header(received, i, i, receiveVectors);
            header(sending, i, i, sendVectors);
        }
    }

    private void vector(MemorySegment vectors, int slot, int buffer, int length) {
        vectors.set(LONG, (long) slot * IOVEC_SIZE, buffers.address() + (long) buffer * bufferSize);
        vectors.set(LONG, (long) slot * IOVEC_SIZE + 8, length);
    }

    private void header(MemorySegment headers, int slot, int from, MemorySegment vectors) {
        long at = (long) slot * HEADER_SIZE;
        headers.set(LONG, at + MSG_NAME, names.address() + (long) from * NAME_STRIDE);
        headers.set(INT, at + MSG_NAMELEN, NAME_SIZE);
        headers.set(LONG, at + MSG_IOV, vectors.address() + (long) slot * IOVEC_SIZE);
        headers.set(LONG, at + MSG_IOVLEN, 1);
        headers.set(LONG, at + MSG_CONTROL, controls.address() + (long) from * CONTROL_SIZE);
        headers.set(LONG, at + MSG_CONTROLLEN, CONTROL_SIZE);
    }

    int size() {
        return size;
    }

    /** The address of the array to receive with. */
    long receiveAddress() {
        return received.address();
    }

    /** Makes the first {@code count} slots fit to receive again. */
    void prepare(int count) {
        for (int i = 0; i < count; i++) {
            long at = (long) i * HEADER_SIZE;
            received.set(INT, at + MSG_NAMELEN, NAME_SIZE);
            received.set(LONG, at + MSG_CONTROLLEN, CONTROL_SIZE);
        }
        replies = 0;
    }

    /** The size of the datagram in a slot, -1 if it was longer than the buffer. */
    int length(int slot) {
        long at = (long) slot * HEADER_SIZE;
        return (received.get(INT, at + MSG_FLAGS) & Libc.MSG_TRUNC) != 0 ? -1 : received.get(INT, at + MSG_LEN);
    }

    /** Copies a slot's datagram to the start of {@code target}. */
    void copyTo(int slot, byte[] target, int length) {
        MemorySegment.copy(buffers, ValueLayout.JAVA_BYTE, (long) slot * bufferSize, target, 0, length);
    }

    /** The memory of all peer addresses; a slot's begins at {@link #nameAt}. */
    MemorySegment names() {
        return names;
    }

    static long nameAt(int slot) {
        return (long) slot * NAME_STRIDE;
    }

    /** The memory of all control messages; a slot's begins at {@link #controlAt}. */
    MemorySegment controls() {
        return controls;
    }

    static long controlAt(int slot) {
        return (long) slot * CONTROL_SIZE;
    }

    /** How many bytes of control messages came with a slot's datagram. */
    long controlLength(int slot) {
        return received.get(LONG, (long) slot * HEADER_SIZE + MSG_CONTROLLEN);
    }

    /** Puts a reply in the place of the query in {@code slot}, to be sent with the rest of the batch. */
    void reply(int slot, byte[] bytes, int length) {
        MemorySegment.copy(bytes, 0, buffers, ValueLayout.JAVA_BYTE, (long) slot * bufferSize, length);
        long from = (long) slot * HEADER_SIZE;
        toSend(slot, length, received.get(INT, from + MSG_NAMELEN), received.get(LONG, from + MSG_CONTROLLEN));
    }

    /** The same for a message whose name and control memory the caller has filled in. */
    void toSend(int slot, int length, int nameLength, long controlLength) {
        int next = replies++;
        long to = (long) next * HEADER_SIZE;
        vector(sendVectors, next, slot, length);
        sending.set(LONG, to + MSG_NAME, names.address() + nameAt(slot));
        sending.set(INT, to + MSG_NAMELEN, nameLength);
        sending.set(LONG, to + MSG_CONTROL, controls.address() + controlAt(slot));
        sending.set(LONG, to + MSG_CONTROLLEN, controlLength);
    }

    /** Copies bytes into a slot's buffer. */
    void fill(int slot, byte[] bytes, int length) {
        MemorySegment.copy(bytes, 0, buffers, ValueLayout.JAVA_BYTE, (long) slot * bufferSize, length);
    }

    int replies() {
        return replies;
    }

    /** The address of the part of the send array that begins with message {@code index}. */
    long sendAddress(int index) {
        return sending.address() + (long) index * HEADER_SIZE;
    }

    /** Sends all replies, and tells how many the kernel refused or had no room for: those are dropped, as a network may drop them. */
    int sendAll(MemorySegment state, int socket) {
        int done = 0;
        int unsent = 0;
        while (done < replies) {
            int sent = Libc.sendMany(state, socket, sendAddress(done), replies - done, Libc.MSG_DONTWAIT);
            if (sent == Libc.EAGAIN) {
                unsent += replies - done; // the socket's buffer is full: shed
                break;
            }
            if (sent > 0) {
                done += sent;
            } else if (sent != Libc.EINTR) {
                done++; // an error belongs to the first message alone: skip it
                unsent++;
            }
        }
        replies = 0;
        return unsent;
    }
}
