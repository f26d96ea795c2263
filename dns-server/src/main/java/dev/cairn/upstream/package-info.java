/**
 * Asking other name servers, over UDP, TCP, TLS, HTTPS and QUIC. An {@code Upstream} is one such server with its health and its response
 * times; an {@code Attempt} is one {@code Question} on its way to one; a {@code Link} is a socket or connection that carries attempts, kept
 * in a {@code Pool} and used again. All of it runs on a few event loops shared by the process ({@code UpstreamLoops}): a {@code Lane} is
 * one loop with what its thread uses, and everything of a lane (pools, links, attempts, timers) belongs to that thread alone, so that
 * nothing here locks.
 */
@NullMarked
package dev.cairn.upstream;

import org.jspecify.annotations.NullMarked;
