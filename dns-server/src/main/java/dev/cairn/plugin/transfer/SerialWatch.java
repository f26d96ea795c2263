package dev.cairn.plugin.transfer;

import dev.cairn.plugin.ZoneContent;
import dev.cairn.plugin.ZoneListener;
import dev.cairn.plugin.ZoneSource;
import dev.cairn.wire.WireName;
import dev.cairn.zone.StaticZone;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the serials of zones that may change many times a second, those of clusters, and tells of a change no more often than it looks. After
 * the start its fields belong to the thread of the scheduler.
 */
final class SerialWatch {
    /** Whoever is told fetches the whole zone. */
    private static final Duration PERIOD = Duration.ofSeconds(5);

    private final ScheduledExecutorService scheduler;
    private final ZoneListener listener;
    private final Map<WireName, Integer> told = new HashMap<>();
    private @Nullable Future<?> looking;

    SerialWatch(ScheduledExecutorService scheduler, ZoneListener listener) {
        this.scheduler = scheduler;
        this.listener = listener;
    }

    /** Begins to look at those of the zones that one of the sources has. */
    void start(List<WireName> zones, List<ZoneSource> sources) {
        List<ZoneSource> silent = sources.stream().filter(source -> !source.tellsChanges()).toList();
        if (!zones.isEmpty() && !silent.isEmpty()) {
            looking = scheduler.scheduleWithFixedDelay(
                    () -> zones.forEach(zone -> look(zone, silent)), PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void look(WireName zone, List<ZoneSource> sources) {
        for (ZoneSource source : sources) {
            ZoneContent content = source.hasZone(zone) ? source.content(zone) : null;
            if (content != null) {
                Integer serial = StaticZone.serialOf(content.soa());
                if (!serial.equals(told.put(zone, serial))) {
                    listener.changed(zone);
                }
                return;
            }
        }
    }

    void stop() {
        if (looking != null) {
            looking.cancel(false);
        }
    }
}
