/**
 * The small HTTP server behind health checks, readiness and metrics of both commands. {@code HttpEndpoints} opens a path at an address and hands
 * back a lease; leases for one address share a listener ({@code HttpListener}), and the newest lease for a path is the one that answers, which is
 * how a reload swaps responders without closing a port. An {@code HttpResponder} turns an {@code HttpRequest} into an {@code HttpReply} and
 * need not care for methods, compression or slow clients, which have the limits of {@code HttpLimits}.
 *
 * <p>One thread ({@code HttpThread}) serves all listeners of the process and is there while one is open. It runs an {@code HttpLoop}, in which an
 * {@code Acceptor} lets clients in, and an {@code HttpConnection} reads their requests ({@code RequestParser}) and sends {@code ReplyBytes}. It asks
 * responders, too, so these must be quick; those that are opened as slow are asked by a thread of their own ({@code SlowAnswers}). Listeners and leases may be
 * opened and closed by any thread but these.
 */
@NullMarked
package dev.cairn.http;

import org.jspecify.annotations.NullMarked;
