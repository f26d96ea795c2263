/**
 * DNS over QUIC (RFC 9250). {@code QuicService} belongs to a listener and sets up its sockets; each connection has a {@code
 * QuicConnection} and each query, which is a stream, a {@code QuicQuery}. {@code RetryTokens} has clients prove their address when many
 * handshakes are open at once. All of a connection is owned by the event loop of its socket.
 */
@NullMarked
package dev.cairn.listen.quic;

import org.jspecify.annotations.NullMarked;
