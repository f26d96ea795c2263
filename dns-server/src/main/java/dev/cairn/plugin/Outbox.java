package dev.cairn.plugin;

import dev.cairn.log.Log;
import dev.cairn.metrics.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Things that query threads leave for another program, which one thread carries there, many at a time. Those who put something in never wait:
 * what finds no room is counted and lost.
 */
public final class Outbox<T> {
    private static final Log LOG = Log.server();

    private final String name;
    private final Size size;
    private final Carrier<T> carrier;
    private final Counter dropped;
    private final ConcurrentLinkedQueue<T> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile @Nullable Thread thread;
    private volatile boolean parked;
    private volatile boolean stopping;

    /** Brings things to where they belong; called by the outbox's thread alone. */
    public interface Carrier<T> {
        /**
         * Takes a batch along, however long that takes. What fails is the carrier's to tell and count.
         *
         * @throws InterruptedException if it is told to give up
         */
        void carry(List<T> batch) throws InterruptedException;

        /** Ends what is open, after the last batch. */
        void close();

        /** Makes {@link #carry} give up; the only method that another thread calls. The outbox's thread is interrupted before. */
        default void giveUp() {}
    }

    /**
     * How much there may be of what.
     *
     * @param capacity how many things may wait
     * @param batch how many are carried at once
     * @param gather how long to wait for a batch to become full
     */
    public record Size(int capacity, int batch, Duration gather) {}

    /**
     * Makes an outbox that does nothing until it is started.
     *
     * @param name of the thread
     * @param dropped counts what found no room
     */
    public Outbox(String name, Size size, Carrier<T> carrier, Counter dropped) {
        this.name = name;
        this.size = size;
        this.carrier = carrier;
        this.dropped = dropped;
    }

    /** Leaves something to be carried; false if there is no room. Never waits. */
    public boolean offer(T thing) {
        if (waiting.get() >= size.capacity) {
            dropped.increment();
            return false;
        }
        int now = waiting.incrementAndGet();
        queue.add(thing);
        if (parked || now == size.batch) {
            parked = false;
            LockSupport.unpark(thread);
        }
        return true;
    }

    public void start() {
        Thread fresh = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
        thread = fresh;
        fresh.start();
    }

    /** Carries what waits if that takes no longer than {@code grace}, and ends. Does nothing if it was not started. */
    public void stop(Duration grace) {
        Thread last = thread;
        stopping = true;
        if (last == null) {
            return;
        }
        LockSupport.unpark(last);
        try {
            if (!last.join(grace)) {
                last.interrupt();
                carrier.giveUp();
                last.join(grace);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread = null;
    }

    private void run() {
        List<T> batch = new ArrayList<>();
        try {
            while (!stopping || !queue.isEmpty()) {
                awaitBatch();
                for (T thing; batch.size() < size.batch && (thing = queue.poll()) != null; ) {
                    batch.add(thing);
                }
                waiting.addAndGet(-batch.size());
                carry(batch);
                batch.clear();
            }
        } catch (InterruptedException e) {
            dropped.add(batch.size() + queue.size());
        }
        carrier.close();
    }

    /** A defect of the carrier costs one batch and not the thread. */
    private void carry(List<T> batch) throws InterruptedException {
        try {
            if (!batch.isEmpty()) {
                carrier.carry(batch);
            }
        } catch (RuntimeException e) {
            dropped.add(batch.size());
            LOG.error(name + " lost " + batch.size() + ": " + e);
        }
    }

    private void awaitBatch() {
        parked = true;
        // Looked at again after the flag is up: whoever came in between saw it down and did not wake us.
        while (queue.isEmpty() && !stopping) {
            LockSupport.park(this);
            parked = true;
        }
        parked = false;
        long end = System.nanoTime() + size.gather.toNanos();
        for (long left; waiting.get() < size.batch && !stopping && (left = end - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(this, left);
        }
    }
}
