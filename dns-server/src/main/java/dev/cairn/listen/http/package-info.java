/**
 * DNS over HTTPS (RFC 8484), by HTTP/2 or HTTP/1.1. {@code HttpService} belongs to a listener and makes an {@code HttpConnection} for
 * each connection, which finds out what the client speaks and has queries answered as those of all other transports are. Requests come in
 * through {@code Http2Requests} or, of HTTP/1.1, {@code HttpExchange}; {@code ReceivedQuery} takes the query out of one. Statuses are those
 * of CoreDNS: 404 for another path, 400 for what is no query, 500 if there is no reply, else 200, whatever the reply says. All of a
 * connection is owned by its event loop. What clients can make the server hold is bounded for each connection: what they have half sent,
 * and what they have not taken.
 */
@NullMarked
package dev.cairn.listen.http;

import org.jspecify.annotations.NullMarked;
