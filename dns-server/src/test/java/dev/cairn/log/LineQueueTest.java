package dev.cairn.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LineQueueTest {
    /** Takes nothing until opened, as a pipe whose reader is busy. */
    private static final class Pipe extends PrintStream {
        private final CountDownLatch open = new CountDownLatch(1);
        private final ByteArrayOutputStream taken;

        Pipe() {
            this(new ByteArrayOutputStream());
        }

        private Pipe(ByteArrayOutputStream taken) {
            super(taken, true, StandardCharsets.UTF_8);
            this.taken = taken;
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            try {
                open.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            super.write(bytes, from, length);
        }

        List<String> lines() {
            return taken.toString(StandardCharsets.UTF_8).lines().toList();
        }
    }

    @Test
    void aSlowReaderCostsLinesAndNotTime() {
        Pipe pipe = new Pipe();
        LineQueue queue = new LineQueue(() -> pipe);
        queue.retain();
        int offered = 2 * LineQueue.CAPACITY;
        int kept = 0;
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < offered; i++) {
            if (queue.offer("line " + i)) {
                kept++;
                expected.add("line " + i);
            }
        }
        assertThat(kept).isGreaterThanOrEqualTo(LineQueue.CAPACITY).isLessThan(offered);
        pipe.open.countDown();
        queue.release();
        assertThat(pipe.lines()).isEqualTo(expected);
    }

    @Test
    void linesAreWrittenSoonAndInOrder() {
        Pipe pipe = new Pipe();
        pipe.open.countDown();
        LineQueue queue = new LineQueue(() -> pipe);
        queue.retain();
        assertThat(queue.offer("one")).isTrue();
        await().until(() -> pipe.lines().equals(List.of("one")));
        queue.offer("two");
        queue.writeNow("three");
        assertThat(pipe.lines()).containsExactly("one", "two", "three");
        queue.release();
    }

    @Test
    void theWriterStaysUntilTheLastUserHasGone() {
        Pipe pipe = new Pipe();
        pipe.open.countDown();
        LineQueue queue = new LineQueue(() -> pipe);
        queue.retain();
        queue.retain();
        queue.release();
        queue.offer("by the writer");
        await().until(() -> pipe.lines().size() == 1);
        queue.release();
        queue.offer("at once");
        assertThat(pipe.lines()).containsExactly("by the writer", "at once");
    }

    @Test
    void linesOfManyThreadsAllArriveWhole() throws Exception {
        Pipe pipe = new Pipe();
        pipe.open.countDown();
        LineQueue queue = new LineQueue(() -> pipe);
        queue.retain();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int number = t;
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 1000; i++) {
                    assertThat(queue.offer(number + " " + i)).isTrue();
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        queue.release();
        assertThat(pipe.lines()).hasSize(4000);
        for (int t = 0; t < 4; t++) {
            String start = t + " ";
            List<String> own = pipe.lines().stream().filter(line -> line.startsWith(start)).toList();
            assertThat(own.stream().map(line -> Integer.valueOf(line.substring(2))).toList()).hasSize(1000).isSorted();
        }
    }
}
