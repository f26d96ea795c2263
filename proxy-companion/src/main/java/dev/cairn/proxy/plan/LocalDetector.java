package dev.cairn.proxy.plan;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How traffic of this node's pods is told from other traffic. */
public sealed interface LocalDetector {
    /** None: without a way to tell, nothing is masqueraded for coming from elsewhere. */
    static LocalDetector none() {
        return new Ranges(List.of());
    }

    /** By the source address. Of a family without a range nothing is known. */
    record Ranges(List<AddressRange> ranges) implements LocalDetector {
        public Ranges {
            ranges = List.copyOf(ranges);
        }

        /** The first range of a family, which is the one that counts. */
        public @Nullable AddressRange of(IpFamily family) {
            for (AddressRange range : ranges) {
                if (range.family() == family) {
                    return range;
                }
            }
            return null;
        }
    }

    /**
     * By the interface that it comes in by.
     *
     * @param prefix whether the name is only its beginning
     */
    record Interface(String name, boolean prefix) implements LocalDetector {}

    /** Whether there is a way to tell for a family. */
    default boolean works(IpFamily family) {
        return switch (this) {
            case Ranges ranges -> ranges.of(family) != null;
            case Interface _ -> true;
        };
    }

    /** Whether a packet is a local pod's. */
    default boolean isLocal(Packet packet) {
        return switch (this) {
            case Ranges ranges -> {
                AddressRange range = ranges.of(IpFamily.of(packet.from()));
                yield range != null && range.contains(packet.from());
            }
            case Interface(String name, boolean prefix) -> prefix ? packet.device().startsWith(name) : packet.device().equals(name);
        };
    }
}
