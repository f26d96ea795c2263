package dev.cairn.plugin.acl;

import dev.cairn.metrics.CounterFamily;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.RouteCounter;
import dev.cairn.wire.WireName;

/** The counters of {@code acl}: of allowed queries by server, of others by server and zone. */
final class AclMetrics {
    private final CounterFamily allowed;
    private final CounterFamily blocked;
    private final CounterFamily filtered;
    private final CounterFamily dropped;

    AclMetrics(MetricRegistry metrics) {
        allowed = metrics.counter("coredns_acl_allowed_requests_total", "Counter of DNS requests being allowed.", "server", "view");
        blocked = byZone(metrics, "blocked");
        filtered = byZone(metrics, "filtered");
        dropped = byZone(metrics, "dropped");
    }

    private static CounterFamily byZone(MetricRegistry metrics, String what) {
        return metrics.counter(
                "coredns_acl_" + what + "_requests_total", "Counter of DNS requests being " + what + ".", "server", "zone", "view");
    }

    RouteCounter allowed() {
        return new RouteCounter(route -> allowed.with(route.server(), route.view()));
    }

    ZoneCounters of(WireName zone) {
        return new ZoneCounters(zone, counter(blocked, zone), counter(filtered, zone), counter(dropped, zone));
    }

    private static RouteCounter counter(CounterFamily family, WireName zone) {
        String text = zone.toString();
        return new RouteCounter(route -> family.with(route.server(), text, route.view()));
    }

    /** A zone and what is counted for it. */
    record ZoneCounters(WireName zone, RouteCounter blocked, RouteCounter filtered, RouteCounter dropped) {}
}
