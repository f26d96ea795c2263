package dev.cairn.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.NotificationBroadcaster;
import javax.management.NotificationListener;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class HeapKeeperTest {
    /** More than fits into the space for young objects that have survived. */
    private static final int KEPT = 6000;

    /** Tests run with the serial collector, as the launcher has it. */
    @Test
    void oldGarbageIsCollectedLongBeforeTheHeapIsFull() throws Exception {
        GarbageCollectorMXBean full = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(bean -> bean.getName().equals("MarkSweepCompact"))
                .findFirst()
                .orElseThrow();
        NotificationBroadcaster collections = (NotificationBroadcaster) full;
        AtomicInteger asked = new AtomicInteger();
        NotificationListener listener = (told, _) -> {
            if (told.getUserData() instanceof javax.management.openmbean.CompositeData data && data.get("gcCause").equals("System.gc()")) {
                asked.incrementAndGet();
            }
        };
        collections.addNotificationListener(listener, null, null);
        Deque<byte[]> kept = new ArrayDeque<>();
        try (HeapKeeper _ = HeapKeeper.start()) {
            Awaitility.await().atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(1)).until(() -> {
                for (int i = 0; i < KEPT; i++) {
                    kept.add(new byte[10_000]);
                    if (kept.size() > KEPT) {
                        kept.remove();
                    }
                }
                return asked.get() >= 2;
            });
        } finally {
            collections.removeNotificationListener(listener);
        }
        assertThat(kept).hasSize(KEPT);
    }
}
