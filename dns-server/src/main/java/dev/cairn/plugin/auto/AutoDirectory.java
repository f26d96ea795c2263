package dev.cairn.plugin.auto;

import dev.cairn.authority.LiveZone;
import dev.cairn.authority.LiveZones;
import dev.cairn.authority.ZoneFileWatch;
import dev.cairn.log.Log;
import dev.cairn.plugin.ZoneListener;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The zones of a directory. Looked through by the starting thread and then by one thread at a time of its own; read by all. */
final class AutoDirectory {
    private static final Log LOG = Log.plugin("auto");

    private final AutoSettings settings;
    private final ScheduledExecutorService scheduler;
    private final Map<WireName, ZoneFileWatch> watches = new TreeMap<>();
    private final Set<String> told = new HashSet<>();
    private volatile LiveZones zones = new LiveZones(List.of());
    private volatile @Nullable Thread looking;
    private @Nullable ScheduledFuture<?> schedule;
    private boolean stopped;

    AutoDirectory(AutoSettings settings, ScheduledExecutorService scheduler) {
        this.settings = settings;
        this.scheduler = scheduler;
    }

    LiveZones zones() {
        return zones;
    }

    void start(ZoneListener listener) {
        look(listener);
        long period = settings.reload().toNanos();
        if (period > 0) {
            schedule = scheduler.scheduleWithFixedDelay(() -> lookElsewhere(listener), period, period, TimeUnit.NANOSECONDS);
        }
    }

    synchronized void stop() {
        stopped = true;
        if (schedule != null) {
            schedule.cancel(false);
        }
        watches.values().forEach(ZoneFileWatch::stop);
    }

    private void lookElsewhere(ZoneListener listener) {
        Thread before = looking;
        if (before == null || !before.isAlive()) {
            looking = Thread.ofVirtual().name("cairn-auto").start(() -> look(listener));
        }
    }

    private synchronized void look(ZoneListener listener) {
        if (stopped) {
            return;
        }
        Map<WireName, Path> found = find();
        boolean changed = watches.entrySet().removeIf(entry -> !found.containsKey(entry.getKey()) && gone(entry.getValue()));
        for (Map.Entry<WireName, Path> entry : found.entrySet()) {
            ZoneFileWatch known = watches.get(entry.getKey());
            if (known != null) {
                known.file(entry.getValue());
            } else {
                changed |= add(entry.getKey(), entry.getValue(), listener);
            }
        }
        if (changed) {
            zones = new LiveZones(watches.values().stream().map(ZoneFileWatch::zone).toList());
        }
    }

    private static boolean gone(ZoneFileWatch watch) {
        watch.stop();
        LOG.info("Deleting zone `" + watch.zone().origin() + "'");
        return true;
    }

    private boolean add(WireName origin, Path file, ZoneListener listener) {
        ZoneFileWatch watch =
                new ZoneFileWatch(new LiveZone(origin, List.of()), file, settings.reload(), false, LOG, scheduler);
        try {
            watch.read();
        } catch (IOException e) {
            once("Parse zone `" + origin + "': " + e.getMessage());
            return false;
        }
        if (watch.zone().state() == null) {
            return false;
        }
        LOG.info("Inserting zone `" + origin + "' from: " + file);
        watches.put(origin, watch);
        watch.start(listener);
        return true;
    }

    private void once(String warning) {
        if (told.add(warning)) {
            LOG.warning(warning);
        }
    }

    /** The files by zone; of several for one zone the first in alphabetical order of their paths. */
    private Map<WireName, Path> find() {
        Set<Path> files = new TreeSet<>();
        try {
            Files.walkFileTree(settings.directory().toRealPath(), new Visitor(files));
        } catch (IOException e) {
            once("Directory does not exist: " + settings.directory());
        }
        Map<WireName, Path> found = new TreeMap<>();
        for (Path file : files) {
            WireName origin = settings.origin(file.getFileName().toString());
            Path before = origin == null ? null : found.putIfAbsent(origin, file);
            if (before != null) {
                once("Multiple zone files match origin \"" + origin + "\": using \"" + before + "\" instead of \"" + file + "\"");
            }
        }
        return found;
    }

    private final class Visitor extends SimpleFileVisitor<Path> {
        private final Set<Path> files;

        Visitor(Set<Path> files) {
            this.files = files;
        }

        /** Where a ConfigMap is mounted, its files are links into a directory of such a name, which has them a second time. */
        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            Path name = directory.getFileName();
            return name != null && name.toString().startsWith("..") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (Files.isRegularFile(file)) {
                files.add(file);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            once("error reading " + file + ": " + e.getMessage());
            return FileVisitResult.CONTINUE;
        }
    }
}
