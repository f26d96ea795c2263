package dev.cairn.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;
import java.util.Optional;

/**
 * Functions of the C library, for 64-bit systems. All are called in one shape, since to link a shape takes tens of milliseconds at the start:
 * what is an int to them comes in a register of 64 bits anyway, of which they look at the lower half, and registers that they do not know of they do not
 * look at. A handle takes memory for errno and five longs, of which the last may stand for nothing, and returns an int.
 */
public final class CLibrary {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(ValueLayout.JAVA_INT, Collections.nCopies(5, ValueLayout.JAVA_LONG)
            .toArray(ValueLayout.OfLong[]::new));
    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    /** An offset and not a VarHandle, nor a path, which would be made of ten classes each at the start. */
    private static final long ERRNO = offsetOf("errno");

    private CLibrary() {}

    private static long offsetOf(String member) {
        long offset = 0;
        for (MemoryLayout each : CALL_STATE.memberLayouts()) {
            if (each.name().filter(member::equals).isPresent()) {
                return offset;
            }
            offset += each.byteSize();   // gaps are members, too
        }
        throw new IllegalStateException("this JDK does not tell " + member);
    }

    /** A function, to be called by {@code (int) handle.invokeExact(state, long, long, long, long, long)}. */
    public static MethodHandle function(String name) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), SHAPE, Linker.Option.captureCallState("errno"));
    }

    /** Where a function is. */
    public static Optional<MemorySegment> address(String name) {
        return LINKER.defaultLookup().find(name);
    }

    /** Memory that a thread's calls put errno into. */
    public static MemorySegment newState(Arena arena) {
        return arena.allocate(CALL_STATE);
    }

    /** What a call that failed has left. */
    public static int errno(MemorySegment state) {
        return state.get(ValueLayout.JAVA_INT, ERRNO);
    }
}
