package dev.cairn.proxy.conntrack;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
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

/** A netlink socket to netfilter. Used by the thread that made it. */
final class Netlink implements AutoCloseable {
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
    private static final int NETLINK_NETFILTER = 12;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int PATIENCE_SECONDS = 10;
    /** The kernel fills one such with several messages of a dump. */
    private static final int BUFFER = 1 << 16;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle SOCKET = call("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle SETSOCKOPT =
            call("setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SEND = call("send", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle RECV = call("recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment state = arena.allocate(STATE);
    private final MemorySegment buffer = arena.allocate(BUFFER, 8);
    private final int descriptor;

    Netlink() throws IOException {
        try {
            descriptor = (int) SOCKET.invokeExact(state, AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_NETFILTER);
            check(descriptor, "socket");
            MemorySegment patience = arena.allocate(JAVA_LONG, 2);
            patience.setAtIndex(JAVA_LONG, 0, PATIENCE_SECONDS);
            check((int) SETSOCKOPT.invokeExact(state, descriptor, SOL_SOCKET, SO_RCVTIMEO, patience, 16), "setsockopt");
        } catch (IOException | RuntimeException | Error e) {
            arena.close();
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static MethodHandle call(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, Linker.Option.captureCallState("errno"));
    }

    private void check(long result, String call) throws IOException {
        if (result < 0) {
            throw new IOException(call + ": errno " + (int) ERRNO.get(state, 0L));
        }
    }

    void send(ByteBuffer message) throws IOException {
        try {
            MemorySegment copy = MemorySegment.ofBuffer(message);
            MemorySegment.copy(copy, 0, buffer, 0, copy.byteSize());
            check((long) SEND.invokeExact(state, descriptor, buffer, copy.byteSize(), 0), "send");
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Some messages, valid until the next call. */
    ByteBuffer receive() throws IOException {
        try {
            long length = (long) RECV.invokeExact(state, descriptor, buffer, (long) BUFFER, 0);
            check(length, "recv");
            return buffer.asSlice(0, length).asByteBuffer().order(ByteOrder.nativeOrder());
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
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
