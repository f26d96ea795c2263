package dev.cairn.bench.server;

import dev.cairn.kernel.CLibrary;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * Lets processes stand still for a moment, and takes microseconds for it: a command for it would take longer than what is to be measured meanwhile. May be
 * used by several threads.
 */
public final class Halt {
    private static final MethodHandle KILL = CLibrary.function("kill");
    private static final int SIGCONT = 18;
    private static final int SIGSTOP = 19;

    private final List<Long> pids;

    public Halt(List<Long> pids) {
        this.pids = List.copyOf(pids);
    }

    /** Stops them where they are. */
    public void begin() {
        signal(SIGSTOP);
    }

    /** Lets them go on; nothing happens if they do. */
    public void end() {
        signal(SIGCONT);
    }

    private void signal(int signal) {
        try (Arena arena = Arena.ofConfined()) {
            for (long pid : pids) {
                var _ = (int) KILL.invokeExact(CLibrary.newState(arena), pid, (long) signal, 0L, 0L, 0L); // one that has ended need not be told
            }
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
