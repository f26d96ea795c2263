package dev.cairn.corefile;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How queries reach a server block: the scheme of its key and the port used when the key has none. */
public enum Transport {
    DNS("dns", 53), TLS("tls", 853), QUIC("quic", 853), GRPC("grpc", 443), HTTPS("https", 443), HTTPS3("https3", 443);

    private final String scheme;
    private final int port;

    Transport(String scheme, int port) {
        this.scheme = scheme;
        this.port = port;
    }

    public String scheme() {
        return scheme;
    }

    public int port() {
        return port;
    }

    static @Nullable Transport of(String scheme) {
        String wanted = scheme.toLowerCase(Locale.ROOT);
        for (Transport transport : values()) {
            if (transport.scheme.equals(wanted)) {
                return transport;
            }
        }
        return null;
    }
}
