/**
 * The small HTTP listeners behind health checks, readiness and metrics. {@code HttpEndpoints} opens a path at an address and hands back a
 * lease; leases for one address share a listener ({@code HttpListener}), and the newest lease for a path is the one that answers, which is
 * how a reload swaps responders without closing a port. An {@code HttpResponder} turns an {@code HttpRequest} into an {@code HttpReply} and
 * need not care for methods, compression or slow clients. The server is the JDK's own with the limits of {@code HttpServerSettings}. Leases
 * may be opened and closed from any thread; each request runs in a virtual thread of its own, so responders must be thread-safe.
 */
@NullMarked
package dev.cairn.http;

import org.jspecify.annotations.NullMarked;
