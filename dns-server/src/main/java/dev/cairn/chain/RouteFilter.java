package dev.cairn.chain;

/** Says which queries of its zone a route is for. Must not block, and must not change anything. */
@FunctionalInterface
public interface RouteFilter {
    /** Whether the route takes the query, which has no route yet. */
    boolean admits(Exchange exchange);
}
