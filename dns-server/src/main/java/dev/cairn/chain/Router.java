package dev.cairn.chain;

import dev.cairn.wire.DnsType;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import dev.cairn.zone.NameMap;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The zones of one server address; finds the longest that a question's name is in. Immutable. */
public final class Router {
    private final NameMap<Route> routes;
    private final int maxLabels;
    private final Route unrouted;

    /**
     * @param unrouted stands in for the zone of queries that match none or are not proper queries; only the finish hooks of its chain are used
     */
    public Router(Collection<Route> all, Route unrouted) {
        Map<WireName, Route> byZone = new HashMap<>();
        int labels = 0;
        for (Route route : all) {
            byZone.putIfAbsent(route.zone(), route);
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

    /** The route of the question's name, null if no zone matches. A question for DS belongs to the parent (RFC 4035 section 3.1.4.1). */
    public @Nullable Route route(QueryView query) {
        int last = query.labelCount();
        Route child = null;
        for (int label = Math.max(0, last - maxLabels); label <= last; label++) {
            Route route = routes.getSuffix(query, label);
            if (route != null) {
                if (query.type() != DnsType.DS || label > 0) {
                    return route;
                }
                child = route;
            }
        }
        return child;
    }
}
