package dev.cairn.plugin;

import dev.cairn.chain.Route;
import dev.cairn.metrics.Counter;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A counter for each route of an instance, for metrics with labels of the server or view. Used by all threads; a route's counter is made
 * when it first counts, so that a label value shows up only once it has been seen.
 */
public final class RouteCounter {
    private final Function<Route, Counter> maker;
    private volatile @Nullable Counter[] byRoute = {};

    /** @param maker finds the counter with the labels of a route */
    public RouteCounter(Function<Route, Counter> maker) {
        this.maker = maker;
    }

    public void increment(Route route) {
        @Nullable Counter[] known = byRoute;
        Counter counter = route.id() < known.length ? known[route.id()] : null;
        (counter == null ? make(route) : counter).increment();
    }

    private synchronized Counter make(Route route) {
        @Nullable Counter[] known = Arrays.copyOf(byRoute, Math.max(byRoute.length, route.id() + 1));
        Counter counter = known[route.id()];
        if (counter == null) {
            counter = maker.apply(route);
            known[route.id()] = counter;
            byRoute = known;
        }
        return counter;
    }
}
