package dev.cairn.proxy;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.log.Log;
import dev.cairn.log.RateLimit;
import dev.cairn.proxy.config.ProxyMode;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.sync.Audit;
import dev.cairn.proxy.sync.SyncObserver;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells in the log how the loop is doing: the first sync, later ones that changed much or came after a failure, and what others changed. What could
 * come all the time is told now and then. Used by the loop's thread.
 */
final class SyncLog {
    private static final Log LOG = Log.server();
    /** How many services are much to change at once. */
    private static final int MUCH = 100;
    /** How many warnings about services may come at once. */
    private static final int MANY = 50;
    /** How many differences are named. */
    private static final int NAMED = 5;
    private static final Duration NOW_AND_THEN = Duration.ofMinutes(1);

    private final ProxyMode mode;
    private final Supplier<String> origin;
    private final RateLimit syncs;
    private final RateLimit repairs;
    private boolean synced;
    private long failures;
    private List<String> toldForeign = List.of();

    /** @param origin where the cluster is read from, as far as known when the first sync is done */
    SyncLog(ProxyMode mode, Supplier<String> origin, LongSupplier nanoClock) {
        this.mode = mode;
        this.origin = origin;
        syncs = new RateLimit(3, NOW_AND_THEN, nanoClock);
        repairs = new RateLimit(5, NOW_AND_THEN, nanoClock);
    }

    /** Takes warnings of which there may be many, and tells some of them. */
    static Consumer<String> limited(LongSupplier nanoClock) {
        RateLimit limit = new RateLimit(MANY, NOW_AND_THEN, nanoClock);
        return message -> {
            String line = limit.admit(message);
            if (line != null) {
                LOG.warning(line);
            }
        };
    }

    /** Something was applied, or failed to be, which the loop tells itself. */
    void applied(SyncObserver.Applied applied, Collection<ServicePlan> plans, List<AddressRange> ranges) {
        if (!applied.success()) {
            failures++;
            return;
        }
        String after = failures == 0 ? "" : " after " + counted(failures, "failure");
        if (!synced) {
            LOG.info("synced " + all(plans) + " from " + origin.get() + after + how(applied) + service(ranges));
        } else if (failures > 0) {
            tell(syncs.admit("synced " + all(plans) + after + how(applied)));
        } else if (applied.changed().size() >= MUCH) {
            tell(syncs.admit("synced " + counted(applied.changed().size(), "changed service") + how(applied) + "; now " + all(plans)));
        }
        synced = true;
        failures = 0;
    }

    private static String all(Collection<ServicePlan> plans) {
        long endpoints = plans.stream().flatMap(plan -> plan.ports().stream()).mapToLong(port -> port.sets().cluster().size()).sum();
        return counted(plans.size(), "service") + " with " + counted(endpoints, "endpoint");
    }

    private String how(SyncObserver.Applied applied) {
        return " in " + TimeUnit.NANOSECONDS.toMillis(applied.nanos()) + " ms, by " + counted(applied.written(), "change") + " to " + mode;
    }

    private static void tell(@Nullable String line) {
        if (line != null) {
            LOG.info(line);
        }
    }

    private static String service(List<AddressRange> ranges) {
        return ranges.isEmpty() ? "" : "; service ranges " + ranges.stream().map(AddressRange::toString).collect(Collectors.joining(", "));
    }

    /**
     * The kernel was compared with what shall be.
     *
     * @return what to tell of it elsewhere, too; null if nothing drifted, or nothing that is to be told now
     */
    @Nullable String audited(Audit audit) {
        if (!audit.foreign().isEmpty() && !audit.foreign().equals(toldForeign)) {
            LOG.warning("not ours and left alone: " + named(audit.foreign()));
        }
        toldForeign = audit.foreign();
        if (audit.drift().isEmpty()) {
            return null;
        }
        String line = repairs.admit("somebody changed what was programmed, repairing it: " + named(audit.drift()));
        if (line != null) {
            LOG.warning(line);
        }
        return line;
    }

    private static String named(List<String> differences) {
        String some = String.join("; ", differences.subList(0, Math.min(NAMED, differences.size())));
        return differences.size() > NAMED ? some + "; and " + (differences.size() - NAMED) + " more" : some;
    }

    private static String counted(long count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }
}
