package dev.cairn.metrics;

import java.util.Map;

/**
 * The limits of the JDK's HTTP server, by which metrics and health are told. It takes them from system properties when its first
 * instance is made, and from nowhere else, so all who make one have to ask for these before.
 *
 * <p>They keep a slow, silent or greedy client from holding a connection for ever. Probes and scrapers are in and out within milliseconds;
 * the times for reading and writing are those of CoreDNS. A property that the operator gave on the command line stays.
 */
public final class HttpServerSettings {
    private static final Map<String, String> PROPERTIES = Map.of(
        // Seconds for a request to arrive in full, and for its answer to be computed and taken.
        "sun.net.httpserver.maxReqTime", "5",
        "sun.net.httpserver.maxRspTime", "5",
        // Seconds without a request, on a new connection as well; looked at every clockTick milliseconds.
        "sun.net.httpserver.idleInterval", "30",
        "sun.net.httpserver.clockTick", "5000",
        // Connections per listener: file descriptors are for DNS clients first.
        "jdk.httpserver.maxConnections", "512",
        "sun.net.httpserver.maxReqHeaderSize", "16384",
        // Header and body go out in two writes; without this the second may wait 40 ms for the acknowledgement of the first.
        "sun.net.httpserver.nodelay", "true");

    private HttpServerSettings() {}

    /** To be called before any use of {@code com.sun.net.httpserver}. */
    public static void apply() {
        PROPERTIES.forEach(System.getProperties()::putIfAbsent);
    }
}
