package dev.cairn.plugin;

import dev.cairn.tls.TlsFiles;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a server address is to be listened on.
 *
 * @param sockets how many UDP sockets (and threads) share the address; 0 for one per processor
 * @param readTimeout how long a client of a connection may take from the connection, or from the first byte of a query, to its last
 * @param writeTimeout how long a client of a connection may leave replies unread before it is cut off
 * @param idleTimeout how long a connection may stay open between queries
 * @param maxTcpQueries how many queries one TCP or TLS connection may send; -1 for any number
 * @param maxTcpConnections how many TCP or TLS connections the address holds at once
 * @param tls whom to be to encrypted clients; null for no encryption
 * @param proxy whose word on client addresses to take; null for nobody's
 */
public record ListenSettings(
        int sockets,
        Duration readTimeout,
        Duration writeTimeout,
        Duration idleTimeout,
        int maxTcpQueries,
        int maxTcpConnections,
        @Nullable TlsFiles tls,
        @Nullable ProxyProtocol proxy,
        HttpsLimits https,
        QuicLimits quic) {
    /**
     * Limits of DNS over HTTPS.
     *
     * @param connections how many connections the address holds at once
     * @param streams how many requests a connection may have open at once
     */
    public record HttpsLimits(int connections, int streams) {
        public static final HttpsLimits DEFAULT = new HttpsLimits(200, 250);

        boolean isDefault() {
            return connections == DEFAULT.connections && streams == DEFAULT.streams;
        }
    }

    /**
     * Limits of DNS over QUIC.
     *
     * @param connections how many connections the address holds at once
     * @param streams how many queries a connection may have open at once
     * @param queries how many queries of all connections may be open at once
     */
    public record QuicLimits(int connections, int streams, int queries) {
        public static final QuicLimits DEFAULT = new QuicLimits(200, 256, 1024);

        boolean isDefault() {
            return connections == DEFAULT.connections && streams == DEFAULT.streams && queries == DEFAULT.queries;
        }
    }

    public static final ListenSettings DEFAULT = new ListenSettings(0, Duration.ofSeconds(3), Duration.ofSeconds(5), Duration.ofSeconds(10),
            -1, 10_000, null, null, HttpsLimits.DEFAULT, QuicLimits.DEFAULT);

    public ListenSettings withSockets(int number) {
        return new ListenSettings(
                number, readTimeout, writeTimeout, idleTimeout, maxTcpQueries, maxTcpConnections, tls, proxy, https, quic);
    }

    public ListenSettings withTimeouts(Duration read, Duration write, Duration idle) {
        return new ListenSettings(sockets, read, write, idle, maxTcpQueries, maxTcpConnections, tls, proxy, https, quic);
    }

    public ListenSettings withMaxTcpQueries(int number) {
        return new ListenSettings(sockets, readTimeout, writeTimeout, idleTimeout, number, maxTcpConnections, tls, proxy, https, quic);
    }

    public ListenSettings withTls(TlsFiles files) {
        return new ListenSettings(
                sockets, readTimeout, writeTimeout, idleTimeout, maxTcpQueries, maxTcpConnections, files, proxy, https, quic);
    }

    public ListenSettings withProxy(ProxyProtocol protocol) {
        return new ListenSettings(
                sockets, readTimeout, writeTimeout, idleTimeout, maxTcpQueries, maxTcpConnections, tls, protocol, https, quic);
    }

    public ListenSettings withHttps(HttpsLimits limits) {
        return new ListenSettings(
                sockets, readTimeout, writeTimeout, idleTimeout, maxTcpQueries, maxTcpConnections, tls, proxy, limits, quic);
    }

    public ListenSettings withQuic(QuicLimits limits) {
        return new ListenSettings(
                sockets, readTimeout, writeTimeout, idleTimeout, maxTcpQueries, maxTcpConnections, tls, proxy, https, limits);
    }

    /**
     * These settings where they differ from the default, else those of {@code other}: how blocks that share an address agree. Only the
     * number of sockets and the identity are those of the block that came first.
     */
    public ListenSettings over(ListenSettings other) {
        return new ListenSettings(
                other.sockets > 0 ? other.sockets : sockets,
                readTimeout.equals(DEFAULT.readTimeout) ? other.readTimeout : readTimeout,
                writeTimeout.equals(DEFAULT.writeTimeout) ? other.writeTimeout : writeTimeout,
                idleTimeout.equals(DEFAULT.idleTimeout) ? other.idleTimeout : idleTimeout,
                maxTcpQueries == DEFAULT.maxTcpQueries ? other.maxTcpQueries : maxTcpQueries,
                maxTcpConnections == DEFAULT.maxTcpConnections ? other.maxTcpConnections : maxTcpConnections,
                other.tls != null ? other.tls : tls,
                proxy == null ? other.proxy : proxy,
                https.isDefault() ? other.https : https,
                quic.isDefault() ? other.quic : quic);
    }
}
