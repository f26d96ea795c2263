package dev.cairn.kernel;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Lets the second compiler of the JVM give way to threads that read the cluster and answer, where there are not processors enough for all. While a large
 * cluster is read it has more to do than they have, and what it makes is of use only later. Where a processor is free, it has it as before.
 */
public final class CompilerThreads {
    /** A quarter of a processor that another thread wants, too: with less, a server that is busy from the start stays slow for long. Everybody may ask for it. */
    static final int NICENESS = 5;

    /** What the kernel knows of the name that the JVM gives it. */
    private static final String NAME = "C2 CompilerThre";

    private static final long A_THREAD = 0;

    private CompilerThreads() {}

    /** Asks for it once for all: threads that the compiler starts later are as nice as the one that starts them. */
    public static void giveWay() {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) {
                if (Files.readString(thread.resolve("comm")).startsWith(NAME)) {
                    beNice(Long.parseLong(thread.getFileName().toString()));
                }
            }
        } catch (IOException _) {
            // not Linux, or a thread that has ended meanwhile: it is a wish
        }
    }

    private static void beNice(long thread) {
        MethodHandle priority = CLibrary.function("setpriority");
        try (Arena arena = Arena.ofConfined()) {
            var _ = (int) priority.invokeExact(CLibrary.newState(arena), A_THREAD, thread, (long) NICENESS, 0L, 0L);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
