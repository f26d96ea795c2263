/**
 * Sockets. A {@code Listener} holds the UDP and TCP sockets of one server address and outlives reloads: a new configuration only puts another
 * router into its {@code Service}. UDP comes in three engines behind {@code UdpEngine}, chosen by {@code Engines}; TCP is Netty's. Each UDP
 * socket and each TCP connection is served by one thread, which answers on the spot unless a plugin keeps the exchange. Memory is bounded
 * whatever clients do: what cannot be sent is dropped (UDP) or not read on (TCP). {@code Turn} lets the queries of busy connections come,
 * and replies to them leave, together.
 */
@NullMarked
package dev.cairn.listen;

import org.jspecify.annotations.NullMarked;
