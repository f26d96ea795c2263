package dev.cairn.http;

import java.time.Duration;

/**
 * What a client may take of the server, so that none that is slow, silent or greedy holds a connection for ever. Probes and scrapers are
 * in and out within milliseconds; the times for reading and writing are those of CoreDNS.
 *
 * @param request how long a request may take to arrive in full, once its first byte is there
 * @param reply how long an answer may take to be computed and taken
 * @param idle how long a connection may be without a request, a new one as well
 * @param connections how many a listener has at most: file descriptors are for DNS clients first
 * @param headBytes how long the head of a request may be
 */
record HttpLimits(Duration request, Duration reply, Duration idle, int connections, int headBytes) {
    static final HttpLimits USUAL = new HttpLimits(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(30), 512, 16384);
}
