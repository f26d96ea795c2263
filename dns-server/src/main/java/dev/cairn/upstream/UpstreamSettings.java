package dev.cairn.upstream;

import java.net.InetAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the upstreams of one use of {@code forward} are asked.
 *
 * @param read how long to wait for a reply once a question has left
 * @param expire how long an idle connection is kept, and any UDP port
 * @param maxAge how long a connection is used at most, zero for any time
 * @param maxIdle how many idle links are kept to an upstream, zero for any number
 * @param source the address to ask from, null for the kernel's choice
 * @param httpGet whether HTTPS uses GET instead of POST
 * @param randomCase whether questions are spelled at random
 */
public record UpstreamSettings(
        Duration read, Duration expire, Duration maxAge, int maxIdle, @Nullable InetAddress source, boolean httpGet, boolean randomCase) {
    /** After this many questions a UDP port is given up for another. */
    static final int QUERIES_PER_PORT = 1000;

    /** How long a connection may take to open, half of the time a client waits: so there is time for another try. */
    private static final long CONNECT_NANOS = Duration.ofMillis(2500).toNanos();

    long readNanos() {
        return read.toNanos();
    }

    long connectNanos() {
        return CONNECT_NANOS;
    }

    long expireNanos() {
        return expire.toNanos();
    }

    long maxAgeNanos() {
        return maxAge.toNanos();
    }
}
