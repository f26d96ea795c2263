package dev.cairn.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LineQueueTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    private final Pipe pipe = new Pipe();
    private final LineQueue queue = new LineQueue(() -> pipe, lines -> "lost " + lines);
    private Thread writer;

    /** Takes nothing until opened, as a pipe that nobody reads from. */
    private static final class Pipe extends PrintStream {
        private final CountDownLatch open = new CountDownLatch(1);
        private final CountDownLatch reached = new CountDownLatch(1);
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
                reached.countDown();
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

    @BeforeEach
    void start() {
        writer = queue.start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        writer.interrupt();
        writer.join();
    }

    @Test
    void oneWhoDoesNotReadCostsLinesAndNotTimeAndIsToldHowMany() throws Exception {
        queue.offer("first");
        pipe.reached.await();
        List<String> expected = new ArrayList<>(List.of("first"));
        int lost = 0;
        for (int i = 0; i < 100_000; i++) {
            if (queue.offer("line " + i)) {
                expected.add("line " + i);
            } else {
                lost++;
            }
        }
        assertThat(lost).isPositive();
        assertThat(queue.dropped()).isEqualTo(lost);
        assertThat(expected).hasSizeBetween(LineQueue.CAPACITY / 100, LineQueue.CAPACITY / 60);
        assertThat(queue.awaitWritten(Duration.ofMillis(1))).isFalse();
        pipe.open.countDown();
        assertThat(queue.awaitWritten(LONG)).isTrue();
        assertThat(queue.offer("after")).isTrue();
        assertThat(queue.awaitWritten(LONG)).isTrue();
        expected.add("lost " + lost);
        expected.add("after");
        assertThat(pipe.lines()).isEqualTo(expected);
        assertThat(queue.dropped()).as("in all").isEqualTo(lost);
    }

    @Test
    void longLinesTakeMoreRoom() throws Exception {
        queue.offer("first");
        pipe.reached.await();
        String trace = "x".repeat(LineQueue.CAPACITY / 4);
        int kept = 0;
        while (queue.offer(trace)) {
            kept++;
        }
        assertThat(kept).isEqualTo(4);
        pipe.open.countDown();
    }

    @Test
    void linesOfManyThreadsAllArriveWholeAndInOrder() throws Exception {
        pipe.open.countDown();
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
        assertThat(queue.awaitWritten(LONG)).isTrue();
        assertThat(pipe.lines()).hasSize(4000);
        for (int t = 0; t < 4; t++) {
            String start = t + " ";
            List<String> own = pipe.lines().stream().filter(line -> line.startsWith(start)).toList();
            assertThat(own.stream().map(line -> Integer.valueOf(line.substring(2))).toList()).hasSize(1000).isSorted();
        }
    }
}
