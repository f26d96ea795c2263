package dev.cairn.corefile;

import java.util.Locale;

/** What one key of a server block stands for. The zone is in lower case and fully qualified, {@code .} for the root. */
public record ZoneKey(Transport transport, String zone, int port) {

    public ZoneKey {
        if (!zone.endsWith(".") || !zone.equals(zone.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("zone must be in lower case and end with a dot: " + zone);
        }
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("no such port: " + port);
        }
    }

    @Override
    public String toString() {
        return transport.scheme() + "://" + zone + ":" + port;
    }
}
