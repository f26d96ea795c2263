package dev.cairn.chain;

import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import dev.cairn.zone.NameMap;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The zones of one server address; finds the longest that a question's name is in. A zone may have several routes that are told apart by
 * filters; the first that takes the query has it, and if none does the zones above are looked at. Immutable, but that it counts the
 * exchanges that plugins keep, so that a reload can tell when the plugins here are used no more.
 */
public final class Router {
    private final NameMap<Candidate> routes;
    private final int maxLabels;
    private final Route unrouted;
    private final LongAdder kept = new LongAdder();

    /**
     * @param unrouted stands in for the zone of queries that match none or are not proper queries; only the finish hooks of its chain are used
     */
    public Router(Collection<Route> all, Route unrouted) {
        this(List.copyOf(all), Map.of(), unrouted);
    }

    /** The same with filters, by the {@link Route#id} of those that have one. Routes of one zone are tried in the order given. */
    public Router(List<Route> all, Map<Integer, RouteFilter> filters, Route unrouted) {
        Map<WireName, Candidate> byZone = new HashMap<>();
        int labels = 0;
        for (Route route : all.reversed()) {
            byZone.put(route.zone(), new Candidate(route, filters.get(route.id()), byZone.get(route.zone())));
            labels = Math.max(labels, route.zone().labelCount());
        }
        this.routes = NameMap.copyOf(byZone);
        this.maxLabels = labels;
        this.unrouted = unrouted;
    }

    /** A router that knows no zone: all it is asked is refused. */
    public static Router empty(String server) {
        return new Router(List.of(), new Route(server, WireName.ROOT, "", 0, false, new Chain(List.of())));
    }

    public Route unrouted() {
        return unrouted;
    }

    /** A plugin has kept a client's exchange that was routed here. */
    void keep() {
        kept.increment();
    }

    /** The client of such an exchange has its reply. */
    void release() {
        kept.decrement();
    }

    /** Whether no plugin keeps an exchange that was routed here; exact once no thread routes by this any more. */
    public boolean isIdle() {
        return kept.sum() == 0;
    }

    /** The route of the question's name, null if no zone matches. A question for DS belongs to the parent (RFC 4035 section 3.1.4.1). */
    public @Nullable Route route(Exchange exchange) {
        QueryView query = exchange.query();
        int last = query.labelCount();
        Route child = null;
        for (int label = Math.max(0, last - maxLabels); label <= last; label++) {
            Route route = choose(routes.getSuffix(query, label), exchange);
            if (route != null) {
                if (query.type() != DnsType.DS || label > 0) {
                    return route;
                }
                child = route;
            }
        }
        return child;
    }

    private static @Nullable Route choose(@Nullable Candidate first, Exchange exchange) {
        for (Candidate one = first; one != null; one = one.next) {
            if (one.filter == null || one.filter.admits(exchange)) {
                return one.route;
            }
        }
        return null;
    }

    /** A route of a zone, and the one to try after it. */
    private record Candidate(Route route, @Nullable RouteFilter filter, @Nullable Candidate next) {}
}
