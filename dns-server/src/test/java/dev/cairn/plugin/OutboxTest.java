package dev.cairn.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.metrics.Counter;
import dev.cairn.metrics.MetricRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private final Counter dropped = new MetricRegistry().counter("dropped", "").with();

    /** Lets a batch go for each permit. */
    private static final class Slow implements Outbox.Carrier<Integer> {
        private final Semaphore permits = new Semaphore(0);
        private final List<List<Integer>> carried = new CopyOnWriteArrayList<>();
        private volatile boolean closed;

        @Override
        public void carry(List<Integer> batch) throws InterruptedException {
            permits.acquire();
            if (batch.contains(-1)) {
                throw new IllegalStateException("a defect");
            }
            carried.add(List.copyOf(batch));
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void whatFindsNoRoomIsCountedAndNobodyWaits() {
        Slow slow = new Slow();
        Outbox<Integer> outbox = new Outbox<>("test", new Outbox.Size(3, 2, Duration.ZERO), slow, dropped);
        assertThat(outbox.offer(1) && outbox.offer(2) && outbox.offer(3)).isTrue();
        assertThat(outbox.offer(4)).isFalse();
        assertThat(dropped.value()).isEqualTo(1);
        outbox.start();
        slow.permits.release(2);
        await().untilAsserted(() -> assertThat(slow.carried).containsExactly(List.of(1, 2), List.of(3)));
        outbox.stop(Duration.ofMinutes(2));
        assertThat(slow.closed).isTrue();
    }

    @Test
    void aCarrierThatHangsIsGivenUpAtTheEnd() {
        Slow slow = new Slow();
        Outbox<Integer> outbox = new Outbox<>("test", new Outbox.Size(10, 2, Duration.ZERO), slow, dropped);
        outbox.start();
        outbox.offer(1);
        outbox.offer(2);
        outbox.offer(3);
        outbox.stop(Duration.ofMillis(20));
        await().untilAsserted(() -> assertThat(dropped.value()).isEqualTo(3));
        assertThat(slow.closed).isTrue();
    }

    @Test
    void batchesAreGatheredAndADefectCostsOnlyOne() {
        Slow slow = new Slow();
        slow.permits.release(100);
        Outbox<Integer> outbox = new Outbox<>("test", new Outbox.Size(10, 3, Duration.ofHours(1)), slow, dropped);
        outbox.start();
        outbox.offer(-1);
        outbox.offer(0);
        outbox.offer(0);
        outbox.offer(1);
        outbox.offer(2);
        outbox.offer(3);
        await().untilAsserted(() -> assertThat(slow.carried).containsExactly(List.of(1, 2, 3)));
        outbox.offer(4);
        outbox.stop(Duration.ofMinutes(2));
        assertThat(slow.carried).containsExactly(List.of(1, 2, 3), List.of(4));
        assertThat(dropped.value()).isEqualTo(3);
    }
}
