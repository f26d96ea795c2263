package dev.cairn.command;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Makes SIGQUIT end the process at once. The JVM keeps that signal for thread dumps and does not let Java code have it, so the C library's
 * {@code _exit}, which may be called from a signal handler and takes one integer as a handler does, is installed as the handler itself; the
 * exit code is then the signal's number, 3. jcmd sends this signal to a JVM that does not listen for it yet, so the launcher starts the JVM
 * with {@code -XX:+StartAttachListener}.
 */
final class QuitSignal {
    private static final int SIGQUIT = 3;

    private QuitSignal() {}

    static void exitAtOnce() {
        Linker linker = Linker.nativeLinker();
        Optional<MemorySegment> signal = linker.defaultLookup().find("signal");
        Optional<MemorySegment> exit = linker.defaultLookup().find("_exit");
        if (signal.isEmpty() || exit.isEmpty()) {
            return; // another C library: the JVM's thread dump stays
        }
        MethodHandle install = linker.downcallHandle(
                signal.get(), FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        try {
            var _ = (MemorySegment) install.invokeExact(SIGQUIT, exit.get());
        } catch (Throwable e) {
            throw new IllegalStateException("signal(SIGQUIT)", e);
        }
    }
}
