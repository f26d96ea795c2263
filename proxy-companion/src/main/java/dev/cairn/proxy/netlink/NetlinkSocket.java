package dev.cairn.proxy.netlink;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/** A netlink socket. Used by one thread at a time, for one request or batch after the other. Numbers are those of linux/netlink.h. */
public final class NetlinkSocket implements AutoCloseable {
    /** The protocols that we speak. */
    public static final int ROUTE = 0;
    public static final int NETFILTER = 12;
    public static final int GENERIC = 16;

    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int SOL_NETLINK = 270;
    private static final int ADD_MEMBERSHIP = 1;
    private static final int DROP_MEMBERSHIP = 2;
    private static final int CAP_ACK = 10;
    private static final int ERROR = 2;
    private static final int DONE = 3;
    private static final int INTERRUPTED = 0x10;
    private static final int PATIENCE_SECONDS = 10;
    private static final int RECEIVE_BUFFER = 1 << 21;
    /** The kernel fills one such with several messages of a dump. */
    private static final int BUFFER = 1 << 16;
    /** Requests sent together: as many as the answers of surely fit in the receive buffer. */
    private static final int BATCH = 100;
    private static final int TRIES = 5;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle SOCKET = call("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle SETSOCKOPT =
            call("setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SEND = call("send", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle RECV = call("recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final Arena arena = Arena.ofShared();
    private final MemorySegment state = arena.allocate(STATE);
    private final MemorySegment buffer = arena.allocate(BUFFER, 8);
    private final int descriptor;
    private int sequence;

    /** Takes a message of an answer, without its head. It is valid during the call. */
    public interface Reader {
        void read(int type, ByteBuffer payload);
    }

    /** Opens a socket of a protocol in the namespace of the calling thread. */
    public NetlinkSocket(int protocol) throws NetlinkException {
        try {
            descriptor = (int) SOCKET.invokeExact(state, AF_NETLINK, SOCK_RAW_CLOEXEC, protocol);
            check(descriptor, "socket");
            MemorySegment value = arena.allocate(JAVA_LONG, 2);
            value.setAtIndex(JAVA_LONG, 0, PATIENCE_SECONDS);
            check((int) SETSOCKOPT.invokeExact(state, descriptor, SOL_SOCKET, SO_RCVTIMEO, value, 16), "setsockopt");
            // Both are wishes: without them answers are longer, and the buffer is the usual one.
            value.set(JAVA_INT, 0, 1);
            int ignored = (int) SETSOCKOPT.invokeExact(state, descriptor, SOL_NETLINK, CAP_ACK, value, 4);
            value.set(JAVA_INT, 0, RECEIVE_BUFFER);
            ignored = (int) SETSOCKOPT.invokeExact(state, descriptor, SOL_SOCKET, SO_RCVBUFFORCE, value, 4);
        } catch (NetlinkException | RuntimeException | Error e) {
            arena.close();
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static MethodHandle call(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, Linker.Option.captureCallState("errno"));
    }

    private void check(long result, String call) throws NetlinkException {
        if (result < 0) {
            throw new NetlinkException(call, (int) ERRNO.get(state, 0L));
        }
    }

    /** Sends a request and waits until it is done; {@code what} says in an exception what failed. */
    public void request(String what, Message message) throws NetlinkException {
        ask(what, message, (_, _) -> {});
    }

    /** Sends a request that is answered by some messages and the acknowledgement. */
    public void ask(String what, Message message, Reader reader) throws NetlinkException {
        int first = ++sequence;
        send(message.finish(first, Message.ACK));
        int[] errors = {-1};
        while (errors[0] < 0) {
            receive(first, errors, reader);
        }
        if (errors[0] != 0) {
            throw new NetlinkException(what, errors[0]);
        }
    }

    /** Sends requests of which each is done or fails for itself; the errno of each, 0 for one that is done. */
    public int[] requestAll(List<Message> messages) throws NetlinkException {
        return askAll(messages, (_, _) -> {});
    }

    /** The same for requests that are answered by some messages. */
    public int[] askAll(List<Message> messages, Reader reader) throws NetlinkException {
        int[] results = new int[messages.size()];
        int from = 0;
        while (from < messages.size()) {
            int first = sequence + 1;
            int to = fitting(messages, from);
            int length = 0;
            for (int i = from; i < to; i++) {
                // What fails is told in any case; that all the others are done is told by the last.
                ByteBuffer one = messages.get(i).finish(++sequence, i == to - 1 ? Message.ACK : 0);
                MemorySegment.copy(MemorySegment.ofBuffer(one), 0, buffer, length, one.remaining());
                length += one.remaining() + 3 & ~3;
            }
            send(length);
            int[] errors = new int[to - from];
            errors[errors.length - 1] = -1;
            while (errors[errors.length - 1] < 0) {
                receive(first, errors, reader);
            }
            System.arraycopy(errors, 0, results, from, errors.length);
            from = to;
        }
        return results;
    }

    /** Up to which message they can be sent at once. */
    private static int fitting(List<Message> messages, int from) {
        int length = 0;
        int to = from;
        while (to < messages.size() && to - from < BATCH) {
            length += messages.get(to).length() + 3 & ~3;
            if (length > BUFFER) {
                break;
            }
            to++;
        }
        if (to == from) {
            throw new IllegalArgumentException("a message of " + length + " bytes is too long");
        }
        return to;
    }

    /**
     * Sends messages that are done together or not at all, by one call: the first and the last of them begin and end the whole.
     *
     * @throws NetlinkException with the first reason why nothing was done
     */
    public void requestTogether(String what, List<Message> messages) throws NetlinkException {
        int first = sequence + 1;
        int last = messages.size() - 2;
        try (Arena own = Arena.ofConfined()) {
            long size = 0;
            for (Message message : messages) {
                size += message.length() + 3 & ~3;
            }
            MemorySegment all = own.allocate(size, 8);
            long at = 0;
            for (int i = 0; i < messages.size(); i++) {
                ByteBuffer one = messages.get(i).finish(++sequence, i == last ? Message.ACK : 0);
                MemorySegment.copy(MemorySegment.ofBuffer(one), 0, all, at, one.remaining());
                at += one.remaining() + 3 & ~3;
            }
            sendBuffer(2 * size + BUFFER);
            send(all, size);
        }
        int[] errors = new int[messages.size()];
        Arrays.fill(errors, -1);
        while (errors[last] < 0 && errors[0] <= 0) {
            receive(first, errors, (_, _) -> {});
        }
        for (int error : errors) {
            if (error > 0) {
                throw new NetlinkException(what, error);
            }
        }
    }

    /** Lets more be sent at once; where that is not allowed, the usual has to do. */
    private void sendBuffer(long size) {
        try (Arena own = Arena.ofConfined()) {
            MemorySegment value = own.allocate(JAVA_INT);
            value.set(JAVA_INT, 0, Math.toIntExact(size));
            int ignored = (int) SETSOCKOPT.invokeExact(state, descriptor, SOL_SOCKET, SO_SNDBUFFORCE, value, 4);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Asks for all of a kind. A dump that others changed while it was made is begun again, after {@code restart}. */
    public void dump(String what, Message message, Runnable restart, Reader reader) throws NetlinkException {
        for (int i = 0; i < TRIES; i++) {
            restart.run();
            int first = ++sequence;
            send(message.finish(first, Message.DUMP));
            int[] errors = {-1};
            boolean whole = true;
            while (errors[0] < 0) {
                whole &= receive(first, errors, reader);
            }
            if (errors[0] != 0) {
                throw new NetlinkException(what, errors[0]);
            }
            if (whole) {
                return;
            }
        }
        throw new NetlinkException(what + ": it changes all the time", NetlinkException.EINTR);
    }

    private void send(ByteBuffer message) throws NetlinkException {
        int length = message.remaining();
        MemorySegment.copy(MemorySegment.ofBuffer(message), 0, buffer, 0, length);
        send(length);
    }

    private void send(int length) throws NetlinkException {
        send(buffer, length);
    }

    private void send(MemorySegment from, long length) throws NetlinkException {
        try {
            check((long) SEND.invokeExact(state, descriptor, from, length, 0), "send");
        } catch (NetlinkException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Takes one load of messages. Errors and ends go to their places by their numbers, the first of which is given; answers to earlier requests,
     * that were given up, are passed over.
     *
     * @return false if a dump was disturbed
     */
    private boolean receive(int first, int[] errors, Reader reader) throws NetlinkException {
        ByteBuffer messages = receive();
        boolean whole = true;
        while (messages.remaining() >= Message.HEADER) {
            int at = messages.position();
            int length = messages.getInt(at);
            if (length < Message.HEADER || length > messages.remaining()) {
                break;
            }
            int type = messages.getShort(at + 4) & 0xffff;
            int index = messages.getInt(at + 8) - first;
            if (index >= 0 && index < errors.length) {
                whole &= (messages.getShort(at + 6) & INTERRUPTED) == 0;
                switch (type) {
                    case ERROR -> errors[index] = -messages.getInt(at + Message.HEADER);
                    case DONE -> errors[index] = length < Message.HEADER + 4 ? 0 : -messages.getInt(at + Message.HEADER);
                    default -> reader.read(type, messages.slice(at + Message.HEADER, length - Message.HEADER).order(ByteOrder.nativeOrder()));
                }
            }
            messages.position(Math.min(messages.limit(), at + (length + 3 & ~3)));
        }
        return whole;
    }

    private ByteBuffer receive() throws NetlinkException {
        try {
            long length;
            do {
                length = (long) RECV.invokeExact(state, descriptor, buffer, (long) BUFFER, 0);
            } while (length < 0 && (int) ERRNO.get(state, 0L) == NetlinkException.EINTR);
            check(length, "recv");
            return buffer.asSlice(0, length).asByteBuffer().order(ByteOrder.nativeOrder());
        } catch (NetlinkException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Begins to hear what the kernel tells a group, or ends it. May be called while another thread hears. */
    public void join(int group, boolean member) throws NetlinkException {
        try (Arena own = Arena.ofConfined()) {
            MemorySegment result = own.allocate(STATE);
            MemorySegment value = own.allocate(JAVA_INT);
            value.set(JAVA_INT, 0, group);
            int code = (int) SETSOCKOPT.invokeExact(result, descriptor, SOL_NETLINK, member ? ADD_MEMBERSHIP : DROP_MEMBERSHIP, value, 4);
            if (code < 0) {
                throw new NetlinkException("setsockopt", (int) ERRNO.get(result, 0L));
            }
        } catch (NetlinkException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Waits for what the kernel tells the groups.
     *
     * @return false if nothing came for some seconds
     * @throws NetlinkException {@code ENOBUFS} if something was lost
     */
    public boolean hear(Reader reader) throws NetlinkException {
        ByteBuffer messages;
        try {
            messages = receive();
        } catch (NetlinkException e) {
            if (e.errno() == NetlinkException.EAGAIN) {
                return false;
            }
            throw e;
        }
        while (messages.remaining() >= Message.HEADER) {
            int at = messages.position();
            int length = messages.getInt(at);
            if (length < Message.HEADER || length > messages.remaining()) {
                break;
            }
            reader.read(messages.getShort(at + 4) & 0xffff, messages.slice(at + Message.HEADER, length - Message.HEADER).order(ByteOrder.nativeOrder()));
            messages.position(Math.min(messages.limit(), at + (length + 3 & ~3)));
        }
        return true;
    }

    @Override
    public void close() {
        try {
            int result = (int) CLOSE.invokeExact(state, descriptor);
            assert result == 0;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        } finally {
            arena.close();
        }
    }
}
