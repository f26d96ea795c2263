package dev.cairn.listen;

import dev.cairn.kernel.CLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The system calls of the datagram engine, for 64-bit Linux. Pointers are passed as plain addresses, so that a call makes no object; whoever
 * calls keeps the memory alive. Results below zero are the negated errno, as the kernel itself has it.
 */
final class Libc {
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int SOL_SOCKET = 1;
    static final int SO_RCVBUF = 8;
    static final int SO_REUSEPORT = 15;
    static final int SO_RCVTIMEO = 20;
    static final int SO_RCVBUFFORCE = 33;
    static final int IPPROTO_IP = 0;
    static final int IP_PKTINFO = 8;
    static final int IPPROTO_IPV6 = 41;
    static final int IPV6_V6ONLY = 26;
    static final int IPV6_RECVPKTINFO = 49;
    static final int IPV6_PKTINFO = 50;
    static final int MSG_TRUNC = 0x20;
    static final int MSG_DONTWAIT = 0x40;
    static final int MSG_WAITFORONE = 0x10000;
    private static final long SHUT_RD = 0;
    static final int EINTR = -4;
    static final int EAGAIN = -11;

    private static final MethodHandle SOCKET = CLibrary.function("socket");
    private static final MethodHandle BIND = CLibrary.function("bind");
    private static final MethodHandle CONNECT = CLibrary.function("connect");
    private static final MethodHandle SETSOCKOPT = CLibrary.function("setsockopt");
    private static final MethodHandle GETSOCKNAME = CLibrary.function("getsockname");
    private static final MethodHandle RECVMMSG = CLibrary.function("recvmmsg");
    private static final MethodHandle SENDMMSG = CLibrary.function("sendmmsg");
    private static final MethodHandle SHUTDOWN = CLibrary.function("shutdown");
    private static final MethodHandle CLOSE = CLibrary.function("close");

    private Libc() {}

    /** Has everything linked before it is wanted, which takes some time. */
    static void prepare() {
        // It is when this is called.
    }

    /** Memory that a thread's calls put errno into. */
    static MemorySegment newState(Arena arena) {
        return CLibrary.newState(arena);
    }

    static int socket(MemorySegment state, int family, int type) {
        try {
            return result((int) SOCKET.invokeExact(state, (long) family, (long) type, 0L, 0L, 0L), state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int bind(MemorySegment state, int socket, MemorySegment address, int length) {
        try {
            return result((int) BIND.invokeExact(state, (long) socket, address.address(), (long) length, 0L, 0L), state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int connect(MemorySegment state, int socket, MemorySegment address, int length) {
        try {
            return result((int) CONNECT.invokeExact(state, (long) socket, address.address(), (long) length, 0L, 0L), state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int setOption(MemorySegment state, int socket, int level, int option, MemorySegment value) {
        try {
            return result((int) SETSOCKOPT.invokeExact(state, (long) socket, (long) level, (long) option, value.address(), value.byteSize()), state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int socketName(MemorySegment state, int socket, MemorySegment address, MemorySegment length) {
        try {
            return result((int) GETSOCKNAME.invokeExact(state, (long) socket, address.address(), length.address(), 0L, 0L), state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int receiveMany(MemorySegment state, int socket, long messages, int count, int flags) {
        try {
            return result((int) RECVMMSG.invokeExact(state, (long) socket, messages, (long) count, (long) flags, 0L), state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int sendMany(MemorySegment state, int socket, long messages, int count, int flags) {
        try {
            return result((int) SENDMMSG.invokeExact(state, (long) socket, messages, (long) count, (long) flags, 0L), state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Lets calls that receive, also one that waits, find nothing any more once they have had what has come. */
    static void endReceiving(MemorySegment state, int socket) {
        try {
            result((int) SHUTDOWN.invokeExact(state, (long) socket, SHUT_RD, 0L, 0L, 0L), state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static void close(MemorySegment state, int socket) {
        try {
            result((int) CLOSE.invokeExact(state, (long) socket, 0L, 0L, 0L, 0L), state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static int result(int returned, MemorySegment state) {
        return returned >= 0 ? returned : -CLibrary.errno(state);
    }

    /** Turns a negative result into an exception that names the call and the kernel's reason. */
    static int checked(String call, int result) throws IOException {
        if (result >= 0) {
            return result;
        }
        throw new IOException(call + ": " + reason(-result) + " (errno " + -result + ")");
    }

    /** What the system calls an error. */
    private static String reason(int errno) {
        Linker linker = Linker.nativeLinker();
        MethodHandle strerror = linker.downcallHandle(linker.defaultLookup().findOrThrow("strerror"), FunctionDescriptor.of(
                ValueLayout.ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(256, ValueLayout.JAVA_BYTE)), ValueLayout.JAVA_INT));
        try {
            return ((MemorySegment) strerror.invokeExact(errno)).getString(0);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static IllegalStateException unexpected(Throwable e) {
        return new IllegalStateException("a downcall failed", e);
    }
}
