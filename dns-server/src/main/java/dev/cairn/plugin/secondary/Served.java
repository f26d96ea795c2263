package dev.cairn.plugin.secondary;

import dev.cairn.authority.LiveZone;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A zone of the plugin, with the lease on what fetches it while the instance is in service. */
final class Served {
    private final LiveZone zone;
    private final List<InetSocketAddress> primaries;
    private volatile SecondaryZones.@Nullable Lease lease;

    Served(LiveZone zone, List<InetSocketAddress> primaries) {
        this.zone = zone;
        this.primaries = List.copyOf(primaries);
    }

    LiveZone zone() {
        return zone;
    }

    List<InetSocketAddress> primaries() {
        return primaries;
    }

    boolean isPrimary(InetAddress address) {
        return primaries.stream().anyMatch(primary -> primary.getAddress().equals(address));
    }

    void start(SecondaryZones.Lease held) {
        lease = held;
    }

    void wake() {
        SecondaryZones.Lease held = lease;
        if (held != null) {
            held.wake();
        }
    }

    void stop() {
        SecondaryZones.Lease held = lease;
        if (held != null) {
            held.close();
        }
    }
}
