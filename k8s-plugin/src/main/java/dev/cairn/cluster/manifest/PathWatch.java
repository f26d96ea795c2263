package dev.cairn.cluster.manifest;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for changes in directories. Not all file systems tell of changes, and a system may have no watches left, so a wait also ends after
 * a time. One thread follows and waits; any thread may close.
 */
final class PathWatch implements AutoCloseable {
    /** Files are often written in several steps: a burst of changes is over when there was none for this long. */
    private static final long QUIET_MILLIS = 100;
    private static final long LONGEST_BURST_MILLIS = 2000;

    private final Consumer<String> log;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final @Nullable WatchService service;
    private Map<WatchKey, Set<String>> keys = new HashMap<>();
    private boolean complained;

    PathWatch(Consumer<String> log) {
        this.log = log;
        service = open();
    }

    private @Nullable WatchService open() {
        try {
            return FileSystems.getDefault().newWatchService();
        } catch (IOException e) {
            complain("no watch for files: " + e.getMessage());
            return null;
        }
    }

    private void complain(String what) {
        if (!complained) {
            complained = true;
            log.accept(what + "; changes are found by looking every few seconds");
        }
    }

    /**
     * Watches these directories and no others; each comes with the names that matter in it, none for all. Tells whether one of them was
     * not watched before, so that something may have changed there unseen.
     */
    boolean follow(Map<Path, Set<String>> directories) {
        if (service == null || isClosed()) {
            return false;
        }
        Map<WatchKey, Set<String>> next = new HashMap<>();
        directories.forEach((directory, names) -> {
            try {
                // Done anew each time: the path may lead to another directory by now. For the same one, this gives the same key.
                WatchKey key = directory.register(service, ENTRY_CREATE, ENTRY_DELETE, ENTRY_MODIFY);
                next.merge(key, names, (one, other) -> one.isEmpty() ? one : other);
            } catch (ClosedWatchServiceException e) {
                // Being closed; the next wait tells.
            } catch (IOException e) {
                if (directory.toFile().isDirectory()) {
                    complain("cannot watch " + directory + ": " + e.getMessage());
                }
            }
        });
        keys.keySet().stream().filter(key -> !next.containsKey(key)).forEach(WatchKey::cancel);
        boolean more = !keys.keySet().containsAll(next.keySet());
        keys = next;
        return more;
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Waits until something changed and came to rest, the time is over, or this was closed. */
    void await(Duration longest) throws InterruptedException {
        if (service == null) {
            closed.await(longest.toMillis(), TimeUnit.MILLISECONDS);
            return;
        }
        try {
            long end = System.nanoTime() + longest.toNanos();
            boolean changed = false;
            while (!changed && System.nanoTime() < end && !isClosed()) {
                changed = matters(service.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS));
            }
            long burstEnd = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_BURST_MILLIS);
            while (changed && System.nanoTime() < burstEnd) {
                changed = matters(service.poll(QUIET_MILLIS, TimeUnit.MILLISECONDS));
            }
        } catch (ClosedWatchServiceException e) {
            closed.await();
        }
    }

    private boolean matters(@Nullable WatchKey key) {
        if (key == null) {
            return false;
        }
        Set<String> names = keys.getOrDefault(key, Set.of());
        boolean matters = key.pollEvents().stream().anyMatch(event -> matters(event, names));
        // A key that cannot be reset belongs to a directory that is gone, which is a change as well.
        return !key.reset() || matters;
    }

    private static boolean matters(WatchEvent<?> event, Set<String> names) {
        return names.isEmpty() || event.context() == null || names.contains(event.context().toString());
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            if (service != null) {
                service.close();
            }
        } catch (IOException e) {
            log.accept("the watch for files does not close: " + e.getMessage());
        }
    }
}
