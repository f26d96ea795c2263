package dev.cairn.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/**
 * Lets a thread that mostly waits run soon after it is woken, also when every processor is busy. Linux gives a thread its turn by the time it wants at
 * once: one that asks for a short slice comes before those that asked for none. Its share of the processor stays what it is, and nobody needs rights
 * for it. Linux knows it since 6.12; older kernels take the wish and do nothing with it.
 */
public final class Promptness {
    /** The shortest slice that Linux grants. */
    static final long SLICE_NANOS = 100_000;

    /** As in {@code struct sched_attr}, of which this is the first version. */
    private static final int ATTRIBUTES = 48;

    private static final int POLICY = 4;
    private static final int RUNTIME = 24;
    private static final int NORMAL = 0;
    private static final long THIS_THREAD = 0;
    private static final String ARCH = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    private static final boolean ARM = ARCH.equals("aarch64");
    private static final boolean KNOWN = System.getProperty("os.name").equals("Linux") && (ARM || ARCH.equals("amd64"));

    private Promptness() {}

    /** The task, run by a thread that is prompt. */
    public static Runnable prompt(Runnable task) {
        return () -> {
            ask();
            task.run();
        };
    }

    /** Makes the calling thread prompt, if the kernel has a way and the thread was not given a policy of its own. */
    public static void ask() {
        if (!KNOWN) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTES, Long.BYTES);
            if (get(arena, attributes) && attributes.get(ValueLayout.JAVA_INT, POLICY) == NORMAL) {
                attributes.set(ValueLayout.JAVA_LONG, RUNTIME, SLICE_NANOS);
                Calls.call(arena, Calls.SET, attributes, 0);   // a wish: one who may not is as prompt as before
            }
        }
    }

    /** The slice that the calling thread has asked for; 0 if none, or if the kernel does not tell. */
    static long sliceNanos() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ATTRIBUTES, Long.BYTES);
            return KNOWN && get(arena, attributes) ? attributes.get(ValueLayout.JAVA_LONG, RUNTIME) : 0;
        }
    }

    private static boolean get(Arena arena, MemorySegment attributes) {
        return Calls.call(arena, Calls.GET, attributes, ATTRIBUTES) == 0;
    }

    /** Linked when they are first needed. The C library has no functions for them, so they go by their numbers. */
    private static final class Calls {
        private static final long SET = ARM ? 274 : 314;
        private static final long GET = ARM ? 275 : 315;

        private static final MethodHandle SYSCALL = CLibrary.function("syscall");

        static int call(Arena arena, long number, MemorySegment attributes, long last) {
            try {
                MemorySegment state = CLibrary.newState(arena);
                return (int) SYSCALL.invokeExact(state, number, THIS_THREAD, attributes.address(), last, 0L);
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
    }
}
