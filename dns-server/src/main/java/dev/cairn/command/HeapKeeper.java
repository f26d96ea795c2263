package dev.cairn.command;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryNotificationInfo;
import java.lang.management.MemoryPoolMXBean;
import java.util.List;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import org.jspecify.annotations.Nullable;

/**
 * Has old garbage collected when there is half as much of it as there are living objects. By itself the serial collector would first use
 * up the whole heap that it may have, half of the machine's memory: an outage of an upstream, or new names in the cache for a day, would make the
 * process grow and stay so. Called by a thread of the JVM.
 */
final class HeapKeeper implements AutoCloseable {
    /** Where the serial collector keeps what has outlived a few collections; others see to their heaps themselves. */
    private static final String OLD = "Tenured Gen";

    /** So that a small heap is not looked through all the time. */
    private static final long LEAST_GARBAGE = 16 << 20;

    private final List<MemoryPoolMXBean> old;
    private final NotificationEmitter emitter = (NotificationEmitter) ManagementFactory.getMemoryMXBean();
    private final NotificationListener listener = this::told;

    private HeapKeeper(List<MemoryPoolMXBean> old) {
        this.old = old;
        old.forEach(pool -> setThreshold(pool, pool.getUsage().getUsed()));
        emitter.addNotificationListener(listener, null, null);
    }

    /** Begins; does nothing with a collector that has no such need. */
    static HeapKeeper start() {
        return new HeapKeeper(ManagementFactory.getMemoryPoolMXBeans().stream().filter(pool -> pool.getName().equals(OLD)).toList());
    }

    private void told(Notification notification, @Nullable Object unused) {
        if (notification.getType().equals(MemoryNotificationInfo.MEMORY_THRESHOLD_EXCEEDED)) {
            System.gc();
            old.forEach(pool -> setThreshold(pool, pool.getCollectionUsage().getUsed()));
        }
    }

    /** Asks to be told when garbage may have come to half of what lives. */
    private static void setThreshold(MemoryPoolMXBean pool, long living) {
        long most = pool.getUsage().getMax();
        long threshold = living + Math.max(LEAST_GARBAGE, living / 2);
        pool.setUsageThreshold(most < 0 ? threshold : Math.min(threshold, most));
    }

    @Override
    public void close() {
        try {
            emitter.removeNotificationListener(listener);
        } catch (ListenerNotFoundException e) {
            throw new IllegalStateException("closed before", e);
        }
        old.forEach(pool -> pool.setUsageThreshold(0));
    }
}
