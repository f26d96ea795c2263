/**
 * What listeners of all kinds have in common: {@code Service} is what they serve; {@code Peer} says who is at the other end of a
 * connection; {@code ConnectionTimer} ends those who take too long, {@code Handshakes} bounds those who have not yet said who they are;
 * {@code TlsContexts} makes engines for the identity of the moment; {@code ProxyHeader} reads what load balancers put before the first
 * byte. What belongs to a connection is owned by its event loop; the others are safe for all threads.
 */
@NullMarked
package dev.cairn.listen.connection;

import org.jspecify.annotations.NullMarked;
