package dev.cairn.plugin.hosts;

import dev.cairn.log.Log;
import dev.cairn.metrics.Gauge;
import dev.cairn.plugin.Host;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where the records come from. {@link #table} is for all threads; the file is read by the starting thread and then only by the scheduler's.
 * While the file can't be read, what was read before stays in service.
 */
final class HostsSource {
    private static final Log LOG = Log.plugin("hosts");

    private final HostsSettings settings;
    private final ScheduledExecutorService scheduler;
    private final Gauge entries;
    private final Gauge reloadTime;
    private volatile HostsTable table = HostsTable.empty();
    private @Nullable FileTime modified;
    private long size;
    private boolean failed;
    private @Nullable ScheduledFuture<?> watch;

    HostsSource(HostsSettings settings, Host host) {
        this.settings = settings;
        this.scheduler = host.scheduler();
        this.entries = host.metrics()
                .gauge("coredns_hosts_entries", "The combined number of entries in hosts and Corefile.", "hostsfile")
                .with(settings.file().toString());
        this.reloadTime = host.metrics()
                .gauge("coredns_hosts_reload_timestamp_seconds", "The timestamp of the last reload of hosts file.")
                .with();
    }

    HostsTable table() {
        return table;
    }

    void start() {
        if (!readIfChanged()) {
            publish(withInline(new HostsTable.Builder(settings.zones(), settings.ttl(), settings.reverse())));
        }
        long period = settings.reload().toNanos();
        if (period > 0) {
            watch = scheduler.scheduleWithFixedDelay(this::readIfChanged, period, period, TimeUnit.NANOSECONDS);
        }
    }

    void stop() {
        if (watch != null) {
            watch.cancel(false);
        }
    }

    /** Publishes the file's content if its time or size differ from those last seen; returns whether it did. */
    private boolean readIfChanged() {
        Path file = settings.file();
        try {
            // The time is taken before the content: a change while reading is then seen at the next look.
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            if (now.isDirectory()) {
                fail("Hosts file \"" + file + "\" is a directory");
                return false;
            }
            failed = false;
            if (now.lastModifiedTime().equals(modified) && now.size() == size) {
                return false;
            }
            publish(read(file));
            modified = now.lastModifiedTime();
            size = now.size();
            reloadTime.set(now.lastModifiedTime().to(TimeUnit.NANOSECONDS) / 1e9);
            return true;
        } catch (NoSuchFileException e) {
            fail("File does not exist: " + file);
        } catch (IOException e) {
            fail("Hosts file \"" + file + "\" can't be read: " + e.getMessage());
        }
        return false;
    }

    /** Says so once, not at every look. */
    private void fail(String message) {
        if (!failed) {
            LOG.warning(message);
        }
        failed = true;
    }

    private HostsTable read(Path file) throws IOException {
        HostsTable.Builder builder = new HostsTable.Builder(settings.zones(), settings.ttl(), settings.reverse());
        HostsParser parser = new HostsParser(builder);
        try (InputStream in = Files.newInputStream(file)) {
            parser.read(in);
        }
        if (parser.badNames() > 0) {
            LOG.warning("Hosts file \"" + file + "\": left out " + parser.badNames() + " names that are no domain names, the first in "
                    + parser.firstBadName());
        }
        HostsTable read = withInline(builder);
        LOG.debug("Parsed hosts file into " + read.entries() + " entries");
        return read;
    }

    private HostsTable withInline(HostsTable.Builder builder) {
        try {
            new HostsParser(builder).read(new ByteArrayInputStream(String.join("\n", settings.inline()).getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new IllegalStateException("memory can be read", e);
        }
        return builder.build();
    }

    private void publish(HostsTable next) {
        table = next;
        entries.set(next.entries());
    }
}
