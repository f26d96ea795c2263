package dev.cairn.kernel;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Leaves to the kernel what only the start has needed of files: code of the JVM and what the AOT cache holds of classes, a fifth of what is resident
 * in a server at rest. Such pages are the same in the file, and in the kernel's copy of it until that wants the room: one that is wanted after all is there
 * again for a short trap. Done when the process first has next to nothing to do, and not later, so that nobody waits for what it needs all the time.
 */
public final class StartPages {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    /** At rest is who needs less than a fiftieth of a processor. */
    private static final int REST = 50;

    /** Both as in {@code madvise(2)}: the kernel may take it first; it need not be mapped any more. */
    private static final long MADV_COLD = 20;

    private static final long MADV_DONTNEED = 4;

    /**
     * Advice for one page has the kernel split the block of pages that it keeps a large file in, of four at least and 2 MB at most, unless it has yet to be written to
     * the disk. It maps a whole block for one page that is wanted, by which everything would soon be back.
     */
    private static final int SPLIT_PAGES = 4;

    /** What {@code /proc/PID/pagemap} has for a page, eight bytes of which the last says this. */
    private static final int ENTRY = 8;
    private static final int PRESENT = 0x80;
    private static final int SWAPPED = 0x40;
    private static final int OF_FILE = 0x20;

    private static final AtomicBoolean CALLED = new AtomicBoolean();

    private StartPages() {}

    /** Returns when the process has come to rest, and the pages are left; at once if it was called before, as by the other half of {@code cairn-node}. */
    public static void leaveAtRest() throws InterruptedException {
        if (CALLED.getAndSet(true)) {
            return;
        }
        awaitRest();
        try {
            leave();
            Thread.sleep(LOOK_EVERY);
            leave(); // what the first time has needed for itself, and the compilers to make it faster
        } catch (IOException _) {
            // not Linux, or no /proc: everything stays as it is
        }
    }

    private static void awaitRest() throws InterruptedException {
        Duration before = processorTime();
        while (true) {
            Thread.sleep(LOOK_EVERY);
            Duration now = processorTime();
            if (now.minus(before).multipliedBy(REST).compareTo(LOOK_EVERY) < 0) {
                return;
            }
            before = now;
        }
    }

    private static Duration processorTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Leaves all pages that can be had again from files. */
    static void leave() throws IOException {
        MethodHandle advise = CLibrary.function("madvise");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CLibrary.newState(arena);
            // First all are looked for, since to look for more would need again what was left.
            int pageSize = pageSize(state);
            List<Range> unchanged = unchanged(pageSize);
            for (Range range : unchanged) {
                for (long at = 0; at < range.length(); at += (long) SPLIT_PAGES * pageSize) {
                    var _ = (int) advise.invokeExact(state, range.from() + at, (long) pageSize, MADV_COLD, 0L, 0L);
                }
            }
            for (long advice : new long[] {MADV_COLD, MADV_DONTNEED}) {
                for (Range range : unchanged) {
                    var _ = (int) advise.invokeExact(state, range.from(), range.length(), advice, 0L, 0L); // a wish: what is locked stays
                }
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Addresses of the process. */
    private record Range(long from, long length) {}

    private static List<Range> unchanged(int pageSize) throws IOException {
        List<Range> unchanged = new ArrayList<>();
        try (RandomAccessFile pages = new RandomAccessFile("/proc/self/pagemap", "r")) {
            for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
                if (isFixed(line)) {
                    int dash = line.indexOf('-');
                    long from = Long.parseUnsignedLong(line, 0, dash, 16);
                    Range range = new Range(from, Long.parseUnsignedLong(line, dash + 1, line.indexOf(' '), 16) - from);
                    byte[] entries = new byte[Math.toIntExact(range.length() / pageSize * ENTRY)];
                    pages.seek(from / pageSize * ENTRY);
                    pages.readFully(entries);
                    if (!isChanged(entries)) {
                        unchanged.add(range);
                    }
                }
            }
        }
        return unchanged;
    }

    private static int pageSize(MemorySegment state) throws Throwable {
        return (int) CLibrary.function("getpagesize").invokeExact(state, 0L, 0L, 0L, 0L, 0L);
    }

    /** Whether a line like {@code 7f00-7f02 r-xp 00000000 fe:00 17   /lib/libc.so.6} is of a file, and nothing may be written there. */
    static boolean isFixed(String line) {
        return line.charAt(line.indexOf(' ') + 2) == '-' && line.indexOf('/') > 0;
    }

    /**
     * Whether there are pages that are not in the file any more, swapped out or not: what was written before that was forbidden, as the addresses that the
     * linker puts into a library, and what a debugger writes in spite of it.
     */
    static boolean isChanged(byte[] entries) {
        for (int at = ENTRY - 1; at < entries.length; at += ENTRY) {
            int flags = entries[at];
            if ((flags & SWAPPED) != 0 || (flags & (PRESENT | OF_FILE)) == PRESENT) {
                return true;
            }
        }
        return false;
    }
}
