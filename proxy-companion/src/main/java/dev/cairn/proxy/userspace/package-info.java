/**
 * The backend that carries traffic itself: it accepts connections and copies bytes, for machines whose kernel cannot balance.
 * {@code UserspaceBackend} keeps a listener for each set of endpoints that a port of a service has, and a {@code Gate} (nftables or
 * iptables) leads packets to the listeners' ports. {@code Relay} owns the event loops; {@code TcpConnection} and {@code UdpListener} copy,
 * each owned by one loop; {@code Balancer} chooses endpoints and may be asked by any thread. Backend and gates are used by one thread.
 * What goes to a port of this kind has the node's address as its source.
 */
@NullMarked
package dev.cairn.proxy.userspace;

import org.jspecify.annotations.NullMarked;
