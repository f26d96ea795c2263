/**
 * DNS over HTTPS (RFC 8484), by HTTP/2 or HTTP/1.1. {@code HttpService} belongs to a listener and makes an {@code HttpConnection} for
 * each connection, which finds out what the client speaks; each request is an {@code HttpExchange}, which has its query answered as those
 * of all other transports are. All of a connection is owned by its event loop. What clients can make the server hold is bounded for each
 * connection: what they have half sent, and what they have not taken.
 */
@NullMarked
package dev.cairn.listen.http;

import org.jspecify.annotations.NullMarked;
