package dev.cairn.proxy.nft;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.netlink.NetlinkSocket;
import dev.cairn.proxy.packets.Testbed;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Opens sockets in another network namespace: a socket stays where it was opened. */
final class Namespace {
    private static final int CLONE_NEWNET = 0x40000000;
    private static final MethodHandle OPEN = call("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SETNS = call("setns", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private Namespace() {}

    private static MethodHandle call(String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(Linker.nativeLinker().defaultLookup().findOrThrow(name), type);
    }

    /** What changes and reads elements on the node. */
    static NftElements elements(Testbed on) {
        return new NftElements(() -> open(on.name(Testbed.NODE)));
    }

    /** A socket to netfilter in a namespace that {@code ip netns} made. The thread, a platform thread, is in its own again afterwards. */
    static NetlinkSocket open(String name) throws NetlinkException {
        try (Arena arena = Arena.ofConfined()) {
            int home = (int) OPEN.invokeExact(arena.allocateFrom("/proc/thread-self/ns/net"), 0);
            int there = (int) OPEN.invokeExact(arena.allocateFrom("/run/netns/" + name), 0);
            try {
                enter(there);
                return new NetlinkSocket(NetlinkSocket.NETFILTER);
            } finally {
                enter(home);
                int ignored = (int) CLOSE.invokeExact(home) + (int) CLOSE.invokeExact(there);
            }
        } catch (NetlinkException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static void enter(int namespace) throws Throwable {
        if ((int) SETNS.invokeExact(namespace, CLONE_NEWNET) != 0) {
            throw new IllegalStateException("setns");
        }
    }
}
