package dev.cairn.log;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lines on their way to the log, so that a slow reader of standard output does not hold up those who answer queries. Query threads put
 * lines in without waiting, as long as there is room; one thread writes them, many at a time. A line written at once first takes with it
 * all that wait, so that lines stay in order.
 */
final class LineQueue {
    /** How many lines may wait: a few megabytes at most, and a second of a busy server. */
    static final int CAPACITY = 16_384;

    private static final int BATCH_CHARS = 64 * 1024;

    private final Supplier<PrintStream> target;
    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    /** Held by the one who takes lines out and writes them. */
    private final ReentrantLock writing = new ReentrantLock();
    private final StringBuilder batch = new StringBuilder();

    private final Object lifecycle = new Object();
    private int users;
    private volatile @Nullable Thread writer;
    private volatile boolean parked;

    /** @param target where lines go, asked for each batch */
    LineQueue(Supplier<PrintStream> target) {
        this.target = target;
    }

    /** Has lines written by a thread of their own, until as many {@link #release} have followed. */
    void retain() {
        synchronized (lifecycle) {
            if (users++ == 0) {
                // Known before it runs, for it ends when it is no longer the known one.
                Thread fresh = Thread.ofPlatform().daemon().name("cairn-log").unstarted(this::write);
                writer = fresh;
                fresh.start();
            }
        }
    }

    /** The last one to release returns when all lines are written. */
    void release() {
        Thread last = null;
        synchronized (lifecycle) {
            if (--users == 0) {
                last = writer;
                writer = null;
            }
        }
        if (last != null) {
            LockSupport.unpark(last);
            drain();
        }
    }

    /** Puts a line in; false if there is no room, and the line is lost. */
    boolean offer(String line) {
        if (waiting.get() >= CAPACITY) {
            return false;
        }
        waiting.incrementAndGet();
        lines.add(line);
        Thread thread = writer;
        if (thread == null) {
            drain();
        } else if (parked) {
            parked = false;
            LockSupport.unpark(thread);
        }
        return true;
    }

    /** Writes a line, after all that wait. Blocks as long as standard output does. */
    void writeNow(String line) {
        writing.lock();
        try {
            writeWaiting();
            batch.append(line).append('\n');
            flush();
        } finally {
            writing.unlock();
        }
    }

    /** Writes all that wait. */
    void drain() {
        writing.lock();
        try {
            writeWaiting();
            flush();
        } finally {
            writing.unlock();
        }
    }

    private void write() {
        Thread self = Thread.currentThread();
        while (self.equals(writer)) {
            drain();
            parked = true;
            // Looked at again after the flag is up: whoever came in between saw it down and did not wake us.
            if (lines.isEmpty() && self.equals(writer)) {
                LockSupport.park(this);
            }
            parked = false;
        }
    }

    private void writeWaiting() {
        String line;
        while ((line = lines.poll()) != null) {
            waiting.decrementAndGet();
            batch.append(line).append('\n');
            if (batch.length() >= BATCH_CHARS) {
                flush();
            }
        }
    }

    private void flush() {
        if (!batch.isEmpty()) {
            byte[] bytes = batch.toString().getBytes(StandardCharsets.UTF_8);
            batch.setLength(0);
            PrintStream out = target.get();
            out.write(bytes, 0, bytes.length);
            out.flush();
        }
    }
}
