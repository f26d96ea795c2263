package dev.cairn.authority;

import dev.cairn.corefile.GoDuration;
import dev.cairn.log.Log;
import dev.cairn.plugin.ZoneListener;
import dev.cairn.zone.StaticZone;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a zone as its file says. The file is read by the starting thread and then by one thread at a time of its own; while it can't be
 * read, or is wrong, what was read before stays in service.
 */
public final class ZoneFileWatch {
    private final LiveZone zone;
    private final Duration period;
    private final boolean byTime;
    private final Log log;
    private final ScheduledExecutorService scheduler;
    private volatile Path file;
    private volatile boolean stopped;
    private volatile @Nullable Thread looking;
    private @Nullable FileTime time;
    private String complaint = "";
    private @Nullable ScheduledFuture<?> watch;

    /**
     * @param period how often to look at the file, zero for never
     * @param byTime whether a later time of the file is a change, instead of another serial in it
     */
    public ZoneFileWatch(LiveZone zone, Path file, Duration period, boolean byTime, Log log, ScheduledExecutorService scheduler) {
        this.zone = zone;
        this.file = file;
        this.period = period;
        this.byTime = byTime;
        this.log = log;
        this.scheduler = scheduler;
    }

    public LiveZone zone() {
        return zone;
    }

    public Path file() {
        return file;
    }

    /** Looks at another file from now on. */
    public void file(Path other) {
        file = other;
    }

    /**
     * Reads the file for the first time.
     *
     * @throws IOException if it is wrong, or not there and never looked for again
     */
    public void read() throws IOException {
        try {
            time = timeOf(file);
            zone.publish(ZoneFile.read(file, zone.origin(), null, log::warning));
        } catch (NoSuchFileException e) {
            if (period.isZero()) {
                throw new IOException("zone " + zone.origin() + ": " + e.getMessage()
                        + ": create the file, or set reload to wait for it", e);
            }
            log.warning("Failed to open \"" + e.getMessage() + "\": trying again in " + GoDuration.format(period));
        } catch (IOException e) {
            throw new IOException("zone " + zone.origin() + ": " + e.getMessage(), e);
        }
    }

    /** Looks at the file from time to time, and tells {@code listener} of changes. */
    public void start(ZoneListener listener) {
        if (zone.state() != null) {
            listener.changed(zone.origin());
        }
        if (!period.isZero()) {
            watch = scheduler.scheduleWithFixedDelay(() -> look(listener), period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    public void stop() {
        stopped = true;
        if (watch != null) {
            watch.cancel(false);
        }
    }

    /** The scheduler's thread is everybody's; a large zone takes its time. */
    private void look(ZoneListener listener) {
        Thread before = looking;
        if (before == null || !before.isAlive()) {
            looking = Thread.ofVirtual().name("cairn-zone-" + zone.origin()).start(() -> readIfChanged(listener));
        }
    }

    private synchronized void readIfChanged(ZoneListener listener) {
        StaticZone known = zone.state();
        Path from = file;
        try {
            FileTime now = timeOf(from);
            FileTime seen = time;
            if (byTime && known != null && seen != null && now.compareTo(seen) <= 0) {
                return;
            }
            Integer serial = known == null || byTime ? null : (Integer) known.serial();
            StaticZone next = ZoneFile.read(from, zone.origin(), serial, log::warning);
            complaint = "";
            if (next != null && !stopped) {
                zone.publish(next);
                time = now;
                log.info("Successfully reloaded zone \"" + zone.origin() + "\" in \"" + from + "\" with "
                        + Integer.toUnsignedString(next.serial()) + " SOA serial");
                listener.changed(zone.origin());
            }
        } catch (NoSuchFileException e) {
            complain("Failed to open zone \"" + zone.origin() + "\" in \"" + from + "\": " + e.getReason());
        } catch (IOException e) {
            complain("Parsing zone \"" + zone.origin() + "\": " + e.getMessage());
        }
    }

    private static FileTime timeOf(Path file) throws IOException {
        try {
            return Files.getLastModifiedTime(file);
        } catch (NoSuchFileException e) {
            throw new NoSuchFileException(file.toString(), null, "no such file");
        }
    }

    /** Says each thing once, not at every look. */
    private void complain(String message) {
        if (!message.equals(complaint)) {
            log.error(message);
        }
        complaint = message;
    }
}
