package dev.cairn.plugin.secondary;

import dev.cairn.authority.LiveZone;
import dev.cairn.authority.PeerAddress;
import dev.cairn.corefile.GoDuration;
import dev.cairn.log.Log;
import dev.cairn.plugin.ZoneListener;
import dev.cairn.wire.Bytes;
import dev.cairn.wire.WireName;
import dev.cairn.zone.StaticZone;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One zone that is fetched from primaries and kept fresh by the times in its SOA (RFC 1034 section 4.3.5). Its own thread fetches; others
 * wake it, and follow it.
 */
final class SecondaryZone {
    private static final Log LOG = Log.plugin("secondary");
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration REFRESH_JITTER = Duration.ofSeconds(5);
    private static final Duration RETRY_JITTER = Duration.ofSeconds(2);

    private final WireName origin;
    private final List<InetSocketAddress> primaries;
    private final List<Follower> followers = new CopyOnWriteArrayList<>();
    private final Semaphore wake = new Semaphore(0);
    private final Thread thread;
    private volatile @Nullable StaticZone state;
    private volatile boolean stopped;
    private long freshNanos;
    private boolean expired;

    /** Where each new state goes. */
    record Follower(LiveZone zone, ZoneListener listener) {}

    SecondaryZone(WireName origin, List<InetSocketAddress> primaries) {
        this.origin = origin;
        this.primaries = List.copyOf(primaries);
        this.thread = Thread.ofVirtual().name("cairn-secondary-" + origin).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void stop() {
        stopped = true;
        thread.interrupt();
    }

    synchronized void follow(Follower follower) {
        followers.add(follower);
        follower.zone().publish(expired ? null : state);
    }

    void leave(Follower follower) {
        followers.remove(follower);
    }

    /** Has the primaries asked now. */
    void wake() {
        if (wake.availablePermits() == 0) {
            wake.release();
        }
    }

    private void run() {
        try {
            Duration pause = FIRST_PAUSE;
            while (!stopped && !fetch(pause)) {
                pause(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
            }
            while (!stopped) {
                pause(jittered(timer(1), REFRESH_JITTER));
                boolean fresh = refresh("Failed refresh check ");
                while (!stopped && !fresh) {
                    expireIfDue();
                    pause(jittered(timer(2), RETRY_JITTER));
                    fresh = refresh("Failed retry check ");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // stopped
        }
    }

    /** Waits, or is woken. */
    private void pause(Duration time) throws InterruptedException {
        if (wake.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS)) {
            wake.drainPermits();
        }
    }

    /** Spreads what many servers do at the same time; short times only by a tenth. */
    private static Duration jittered(Duration time, Duration most) {
        long range = Math.min(most.toMillis(), time.toMillis() / 10);
        return time.plusMillis(ThreadLocalRandom.current().nextLong(range + 1));
    }

    /** A time from the SOA, at least a second: 1 is refresh, 2 retry, 3 expire (RFC 1035 section 3.3.13). */
    private Duration timer(int index) {
        StaticZone now = state;
        if (now == null) {
            return LONGEST_PAUSE;
        }
        byte[] data = now.soa().data(0);
        return Duration.ofSeconds(Math.max(1, Integer.toUnsignedLong(Bytes.i32(data, data.length - 20 + 4 * index))));
    }

    /** Asks the primaries for their serial and fetches the zone if it is newer; false if that failed. */
    private boolean refresh(String complaint) {
        StaticZone now = state;
        IOException failure = null;
        for (InetSocketAddress primary : primaries) {
            try {
                int serial = new PrimaryClient(primary).serial(origin);
                // RFC 1982 section 3.2
                if (now != null && serial - now.serial() <= 0 && !expired) {
                    freshNanos = System.nanoTime();
                    return true;
                }
                return fetch(null);
            } catch (IOException e) {
                failure = e;
            }
        }
        if (!stopped && failure != null) {
            LOG.warning(complaint + "of " + origin + ": " + failure.getMessage());
        }
        return false;
    }

    /** @param retry when it will be tried again, for the log; null if that is told elsewhere */
    private boolean fetch(@Nullable Duration retry) {
        String failure = "";
        for (InetSocketAddress primary : primaries) {
            try {
                publish(new PrimaryClient(primary).fetch(origin));
                LOG.info("Transferred: " + origin + " from " + PeerAddress.text(primary));
                return true;
            } catch (IOException e) {
                failure = String.valueOf(e.getMessage());
                if (stopped) {
                    return false;
                }
                LOG.error("Failed to transfer `" + origin + "' from \"" + PeerAddress.text(primary) + "\": " + failure);
            }
        }
        if (retry != null) {
            LOG.warning("All '" + origin + "' masters failed to transfer, retrying in " + GoDuration.format(retry) + ": " + failure);
        }
        return false;
    }

    private synchronized void publish(StaticZone next) {
        state = next;
        freshNanos = System.nanoTime();
        expired = false;
        for (Follower follower : followers) {
            follower.zone().publish(next);
            follower.listener().changed(origin);
        }
    }

    /** A zone that could not be refreshed for too long is no longer served (RFC 1034 section 4.3.5). */
    private synchronized void expireIfDue() {
        if (!expired && System.nanoTime() - freshNanos > timer(3).toNanos()) {
            expired = true;
            LOG.error("Zone " + origin + " is expired");
            followers.forEach(follower -> follower.zone().publish(null));
        }
    }
}
