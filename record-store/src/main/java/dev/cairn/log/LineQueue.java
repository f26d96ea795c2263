package dev.cairn.log;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lines on their way to the log, so that nobody waits for a slow reader of the log, or for one that does not read at all. Any thread
 * puts lines in, as long as there is room; one thread writes them in order, many at a time.
 */
final class LineQueue {
    /** How much may wait, in bytes or nearly so: some ten thousand lines, and a second of a busy server. */
    static final int CAPACITY = 4 << 20;

    /** What a line takes beside its characters. */
    private static final int OVERHEAD = 64;

    private static final int BATCH_CHARS = 64 * 1024;

    private final Supplier<PrintStream> target;
    private final LongFunction<String> loss;
    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
    private final AtomicLong waiting = new AtomicLong();
    private final AtomicLong accepted = new AtomicLong();
    /** How many lines were lost and not told of yet. */
    private final AtomicLong lost = new AtomicLong();
    private final LongAdder dropped = new LongAdder();
    private final StringBuilder batch = new StringBuilder();
    private volatile @Nullable Thread writer;
    private volatile boolean parked;
    /** How many lines are written; guarded by this object's lock. */
    private long written;

    /**
     * Makes a queue that keeps its lines until it is started.
     *
     * @param target where lines go, asked for each batch
     * @param loss a line that tells how many were lost
     */
    LineQueue(Supplier<PrintStream> target, LongFunction<String> loss) {
        this.target = target;
        this.loss = loss;
    }

    /** Has lines written by a thread, which is returned; it ends when it is interrupted. */
    Thread start() {
        Thread fresh = Thread.ofPlatform().daemon().name("cairn-log").unstarted(this::run);
        writer = fresh;
        fresh.start();
        return fresh;
    }

    /** Puts a line in; false if there is no room, and the line is lost, which the next one tells. Never waits. */
    boolean offer(String line) {
        if (waiting.get() >= CAPACITY) {
            lost.incrementAndGet();
            dropped.increment();
            return false;
        }
        long before = lost.get() == 0 ? 0 : lost.getAndSet(0);
        if (before > 0) {
            add(loss.apply(before));
        }
        add(line);
        if (parked) {
            parked = false;
            LockSupport.unpark(writer);
        }
        return true;
    }

    private void add(String line) {
        accepted.incrementAndGet();
        waiting.addAndGet(line.length() + OVERHEAD);
        lines.add(line);
    }

    /** How many lines were lost in all. */
    long dropped() {
        return dropped.sum();
    }

    /** Waits until all lines that are in by now are written; false if that takes too long. */
    synchronized boolean awaitWritten(Duration limit) {
        long all = accepted.get();
        long end = System.nanoTime() + limit.toNanos();
        try {
            for (long left; written < all; ) {
                left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            writeWaiting();
            parked = true;
            // Looked at again after the flag is up: whoever came in between saw it down and did not wake us.
            if (lines.isEmpty() && lost.get() == 0) {
                LockSupport.park(this);
            }
            parked = false;
        }
    }

    private void writeWaiting() {
        int count = 0;
        for (String line; (line = lines.poll()) != null; ) {
            waiting.addAndGet(-line.length() - OVERHEAD);
            batch.append(line).append('\n');
            count++;
            if (batch.length() >= BATCH_CHARS) {
                flush(count);
                count = 0;
            }
        }
        long after = lost.getAndSet(0);
        if (after > 0) {
            batch.append(loss.apply(after)).append('\n');
        }
        flush(count);
    }

    private void flush(int count) {
        if (!batch.isEmpty()) {
            byte[] bytes = batch.toString().getBytes(StandardCharsets.UTF_8);
            batch.setLength(0);
            PrintStream out = target.get();
            out.write(bytes, 0, bytes.length);
            out.flush();
            synchronized (this) {
                written += count;
                notifyAll();
            }
        }
    }
}
