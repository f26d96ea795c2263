package dev.cairn.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CellsTest {
    private final MetricRegistry registry = new MetricRegistry();

    @Test
    void noIncrementIsLostBetweenThreadsAndScrapes() throws InterruptedException {
        Counter counter = registry.counter("c_total", "Help.").with();
        Histogram histogram = registry.histogram("h", "Help.", new double[] {1, 2}, HistogramUnit.ONE).with();
        int threadCount = 8;
        int increments = 200_000;
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < threadCount; t++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < increments; i++) {
                    counter.increment();
                    histogram.record(3);
                }
            }));
        }
        long seen = 0;
        while (threads.stream().anyMatch(Thread::isAlive)) {
            long now = counter.value();
            assertThat(now).isGreaterThanOrEqualTo(seen);
            seen = now;
            registry.scrape();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(counter.value()).isEqualTo((long) threadCount * increments);
        assertThat(registry.scrape()).contains("\nc_total 1.6e+06\n", "h_count 1.6e+06\n", "h_sum 4.8e+06\n", "h_bucket{le=\"2\"} 0\n");
    }

    @Test
    void childrenMadeLaterGrowTheArraysOfThreadsThatCountAlready() throws InterruptedException {
        CounterFamily family = registry.counter("c_total", "Help.", "n");
        family.with("first").increment();
        Thread other = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 1_000; i++) {
                family.with(Integer.toString(i)).add(i);
            }
        });
        other.join();
        for (int i = 0; i < 1_000; i++) {
            family.with(Integer.toString(i)).increment();
        }

        assertThat(family.with("first").value()).isEqualTo(1);
        for (int i = 0; i < 1_000; i++) {
            assertThat(family.with(Integer.toString(i)).value()).isEqualTo(i + 1);
        }
    }

    @Test
    void whatAThreadCountedOutlivesItAndItsArrayDoesNot() throws InterruptedException {
        Counter counter = registry.counter("c_total", "Help.").with();
        CountDownLatch release = new CountDownLatch(1);
        Thread ended = Thread.ofPlatform().start(() -> counter.add(5));
        ended.join();
        CountDownLatch counted = new CountDownLatch(1);
        Thread living = Thread.ofPlatform().start(() -> {
            counter.add(2);
            counted.countDown();
            awaitQuietly(release);
            counter.add(3);
        });
        counted.await();

        assertThat(registry.scrape()).endsWith("c_total 7\n");
        assertThat(registry.cells().shardCount()).isEqualTo(1);
        release.countDown();
        living.join();
        assertThat(registry.scrape()).endsWith("c_total 10\n");
        assertThat(registry.cells().shardCount()).isZero();
        assertThat(counter.value()).isEqualTo(10);
    }

    @Test
    void manyShortThreadsLeaveFewArraysEvenIfNobodyScrapes() throws InterruptedException {
        Counter counter = registry.counter("c_total", "Help.").with();
        for (int i = 0; i < 200; i++) {
            Thread.ofVirtual().start(counter::increment).join();
        }

        assertThat(registry.cells().shardCount()).isLessThanOrEqualTo(17);
        assertThat(counter.value()).isEqualTo(200);
    }

    @Test
    void countingMakesNoGarbage() {
        Counter counter = registry.counter("c_total", "Help.").with();
        Histogram histogram = registry.histogram("h", "Help.", new double[] {0.001, 0.1}, HistogramUnit.NANOS).with();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        count(counter, histogram, 20_000);

        // The JVM itself allocates a few bytes now and then, as when it swaps in compiled code; a counter that did would do so each round.
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            count(counter, histogram, 50_000);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }

        assertThat(least).isZero();
        assertThat(counter.value()).isEqualTo(3 * 270_000L);
    }

    private static void count(Counter counter, Histogram histogram, int times) {
        for (int i = 0; i < times; i++) {
            counter.increment();
            counter.add(2);
            histogram.record(i * 1_000L);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
