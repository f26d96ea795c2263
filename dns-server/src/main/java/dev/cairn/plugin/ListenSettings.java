package dev.cairn.plugin;

import java.time.Duration;

/**
 * How a server address is to be listened on.
 *
 * @param sockets how many UDP sockets (and threads) share the address; 0 for one per processor
 * @param readTimeout how long a TCP client may take from the connection, or from the first byte of a query, to its last
 * @param writeTimeout how long a TCP client may leave replies unread before it is cut off
 * @param idleTimeout how long a TCP connection may stay open between queries
 * @param maxTcpQueries how many queries one TCP connection may send; -1 for any number
 * @param maxTcpConnections how many TCP connections the address holds at once
 */
public record ListenSettings(
        int sockets, Duration readTimeout, Duration writeTimeout, Duration idleTimeout, int maxTcpQueries, int maxTcpConnections) {
    public static final ListenSettings DEFAULT =
            new ListenSettings(0, Duration.ofSeconds(3), Duration.ofSeconds(5), Duration.ofSeconds(10), -1, 10_000);

    public ListenSettings withSockets(int number) {
        return new ListenSettings(number, readTimeout, writeTimeout, idleTimeout, maxTcpQueries, maxTcpConnections);
    }

    public ListenSettings withTimeouts(Duration read, Duration write, Duration idle) {
        return new ListenSettings(sockets, read, write, idle, maxTcpQueries, maxTcpConnections);
    }

    public ListenSettings withMaxTcpQueries(int number) {
        return new ListenSettings(sockets, readTimeout, writeTimeout, idleTimeout, number, maxTcpConnections);
    }

    /**
     * These settings where they differ from the default, else those of {@code other}: how blocks that share an address agree. Only the
     * number of sockets is that of the block that came first.
     */
    public ListenSettings over(ListenSettings other) {
        return new ListenSettings(
                other.sockets > 0 ? other.sockets : sockets,
                readTimeout.equals(DEFAULT.readTimeout) ? other.readTimeout : readTimeout,
                writeTimeout.equals(DEFAULT.writeTimeout) ? other.writeTimeout : writeTimeout,
                idleTimeout.equals(DEFAULT.idleTimeout) ? other.idleTimeout : idleTimeout,
                maxTcpQueries == DEFAULT.maxTcpQueries ? other.maxTcpQueries : maxTcpQueries,
                maxTcpConnections == DEFAULT.maxTcpConnections ? other.maxTcpConnections : maxTcpConnections);
    }
}
