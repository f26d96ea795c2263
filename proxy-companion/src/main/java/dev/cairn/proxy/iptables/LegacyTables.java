package dev.cairn.proxy.iptables;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.cairn.cluster.control.IpFamily;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Asks the kernel for the size of tables of the legacy kind, which it tells without listing their rules. Numbers are those of
 * linux/netfilter_ipv4/ip_tables.h.
 */
final class LegacyTables {
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
    private static final int IPPROTO_RAW = 255;
    private static final int SOL_IP = 0;
    private static final int SOL_IPV6 = 41;
    private static final int GET_INFO = 64;
    /** A name of 32 bytes; the hooks, where each begins and ends, the number of rules and their size. */
    private static final int INFO = 84;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle SOCKET = call("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle GETSOCKOPT =
            call("getsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private LegacyTables() {}

    private static MethodHandle call(String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type);
    }

    /** What the kernel tells of a table; null if it does not. */
    static @Nullable String info(IpFamily family, Table table) {
        boolean four = family == IpFamily.IPV4;
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = (int) SOCKET.invokeExact(four ? AF_INET : AF_INET6, SOCK_RAW_CLOEXEC, IPPROTO_RAW);
            if (descriptor < 0) {
                return null;
            }
            MemorySegment info = arena.allocate(INFO);
            info.asByteBuffer().put(table.toString().getBytes(StandardCharsets.US_ASCII));
            MemorySegment length = arena.allocateFrom(JAVA_INT, INFO);
            int result = (int) GETSOCKOPT.invokeExact(descriptor, four ? SOL_IP : SOL_IPV6, GET_INFO, info, length);
            int closed = (int) CLOSE.invokeExact(descriptor);
            return result != 0 || closed != 0 ? null : HexFormat.of().formatHex(info.toArray(JAVA_BYTE));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
