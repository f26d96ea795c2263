package dev.cairn.command;

import dev.cairn.kernel.CLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Makes SIGQUIT end the process at once. The JVM keeps that signal for thread dumps and does not let Java code have it, so the C library's
 * {@code _exit}, which may be called from a signal handler and takes one integer as a handler does, is installed as the handler itself; the
 * exit code is then the signal's number, 3. jcmd sends this signal to a JVM that does not listen for it yet, so the launcher starts the JVM
 * with {@code -XX:+StartAttachListener}.
 */
final class QuitSignal {
    private static final long SIGQUIT = 3;

    private QuitSignal() {}

    static void exitAtOnce() {
        Optional<MemorySegment> exit = CLibrary.address("_exit");
        if (exit.isEmpty() || CLibrary.address("signal").isEmpty()) {
            return; // another C library: the JVM's thread dump stays
        }
        MethodHandle install = CLibrary.function("signal");
        try (Arena arena = Arena.ofConfined()) {
            var _ = (int) install.invokeExact(CLibrary.newState(arena), SIGQUIT, exit.get().address(), 0L, 0L, 0L);
        } catch (Throwable e) {
            throw new IllegalStateException("signal(SIGQUIT)", e);
        }
    }
}
