package dev.cairn.proxy.ipvs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Runs code in a network namespace, on a thread of its own: a socket belongs to the namespace of the thread that makes it. */
final class Namespace {
    private static final int CLONE_NEWNET = 0x40000000;
    private static final MethodHandle OPEN = call("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SETNS = call("setns", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

    private Namespace() {}

    private static MethodHandle call(String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(Linker.nativeLinker().defaultLookup().findOrThrow(name), type);
    }

    /** Runs it and waits. */
    static <T> T in(String name, Callable<T> code) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment path = arena.allocateFrom("/run/netns/" + name);
                int descriptor = (int) OPEN.invokeExact(path, 0);
                int entered = (int) SETNS.invokeExact(descriptor, CLONE_NEWNET);
                if (entered != 0) {
                    throw new IllegalStateException("cannot enter the namespace " + name);
                }
                result.complete(code.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result.join();
    }
}
