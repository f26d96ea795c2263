package dev.cairn.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * Measures what threads allocate. The leanest of many rounds counts: early ones run interpreted code, for longer on a busy machine, and the JVM
 * itself charges a thread now and then, when it compiles or deoptimizes something; an allocation of ours would be there in every round.
 */
public final class Garbage {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

    /** Many queries. */
    public interface Round {
        void run() throws Exception;
    }

    private Garbage() {}

    /** Asserts that a round of work on this thread allocates nothing at all. */
    public static void assertNone(Round round) throws Exception {
        assertNone(round, Thread.currentThread().threadId());
    }

    /** Asserts that a round of work, begun by this thread and done by others, allocates nothing at all there. */
    public static void assertNone(Round round, long... threads) throws Exception {
        assertAtMost(0, round, threads);
    }

    /** Asserts that a round of work on this thread allocates no more than so many bytes. */
    public static void assertAtMost(long bytes, Round round) throws Exception {
        assertAtMost(bytes, round, Thread.currentThread().threadId());
    }

    /** The same of a round that this thread begins and others do. */
    public static void assertAtMost(long bytes, Round round, long... threads) throws Exception {
        long start = System.nanoTime();
        long leanest = Long.MAX_VALUE;
        while (leanest > bytes && System.nanoTime() - start < PATIENCE_NANOS) {
            long before = allocated(threads);
            round.run();
            leanest = Math.min(leanest, allocated(threads) - before);
        }
        assertThat(leanest).as("bytes allocated in the leanest round").isLessThanOrEqualTo(bytes);
    }

    private static long allocated(long... threads) {
        long sum = 0;
        for (long thread : threads) {
            sum += THREADS.getThreadAllocatedBytes(thread);
        }
        return sum;
    }
}
