package dev.cairn.plugin.prometheus;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.FinishHook;
import dev.cairn.chain.Route;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Counts each finished query under its server and zone. */
final class PrometheusPlugin implements FinishHook {
    /** The zone of queries that reach no chain; without a dot at its end it can't be a real one. */
    static final String DROPPED = "dropped";

    private final QueryMetrics metrics;
    private final @Nullable String fixedZone;

    /** By {@link Route#id}; replaced, never changed. */
    private volatile @Nullable RouteCounters[] byRoute = {};

    /** @param fixedZone the zone to count under whatever the route says, null for the route's own */
    PrometheusPlugin(QueryMetrics metrics, @Nullable String fixedZone) {
        this.metrics = metrics;
        this.fixedZone = fixedZone;
    }

    @Override
    public String name() {
        return "prometheus";
    }

    @Override
    public void finished(Exchange exchange) {
        Route route = exchange.route();
        @Nullable RouteCounters[] known = byRoute;
        RouteCounters counters = route.id() < known.length ? known[route.id()] : null;
        if (counters == null) {
            counters = add(route);
        }
        counters.count(exchange);
    }

    private synchronized RouteCounters add(Route route) {
        @Nullable RouteCounters[] before = byRoute;
        RouteCounters known = route.id() < before.length ? before[route.id()] : null;
        if (known != null) {
            return known;
        }
        RouteCounters fresh = new RouteCounters(metrics, route, fixedZone == null ? route.zone().toString() : fixedZone);
        @Nullable RouteCounters[] grown = Arrays.copyOf(before, Math.max(before.length, route.id() + 1));
        grown[route.id()] = fresh;
        byRoute = grown;
        return fresh;
    }
}
