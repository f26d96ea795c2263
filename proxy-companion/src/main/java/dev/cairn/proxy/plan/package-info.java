/**
 * What shall happen to a packet for a Service, as data. {@code Planner} turns one service and its slices into a {@code ServicePlan}: its
 * frontends and, for each port, the endpoints that are chosen by policy, readiness and hints. {@code ClusterModel} keeps the facts and
 * plans again only what a change touches; {@code PacketWalk} says what a plan does with a packet and why. Plans are immutable values; the
 * model is owned by one thread. Nothing here knows how a backend brings it about.
 */
@NullMarked
package dev.cairn.proxy.plan;

import org.jspecify.annotations.NullMarked;
