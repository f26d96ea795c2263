package dev.cairn.corefile;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

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

    // Written out, since those of a record are linked when they are first called, which takes a start several milliseconds.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ZoneKey key && transport == key.transport && port == key.port && zone.equals(key.zone);
    }

    @Override
    public int hashCode() {
        return zone.hashCode() + 31 * port;
    }

    @Override
    public String toString() {
        return transport.scheme() + "://" + zone + ":" + port;
    }
}
