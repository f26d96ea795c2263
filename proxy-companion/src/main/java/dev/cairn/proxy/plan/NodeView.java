package dev.cairn.proxy.plan;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The node that is programmed.
 *
 * @param zone empty if it has none
 * @param addresses those that the Node object tells, the primary one of each family first
 * @param interfaces all addresses of its interfaces
 * @param podRanges where the addresses of its pods come from
 */
public record NodeView(String name, String zone, List<Address> addresses, List<Address> interfaces, List<AddressRange> podRanges) {
    /** Nothing is known of it. */
    public static final NodeView UNKNOWN = new NodeView("", "", List.of(), List.of(), List.of());

    public NodeView {
        addresses = List.copyOf(addresses);
        interfaces = List.copyOf(interfaces);
        podRanges = List.copyOf(podRanges);
    }

    /** The same with an address that is its primary one. */
    public NodeView knownBy(Address address) {
        List<Address> all = Stream.concat(Stream.of(address), addresses.stream()).distinct().toList();
        return new NodeView(name, zone, all, interfaces, podRanges);
    }

    /** The same with others at its interfaces. */
    NodeView withInterfaces(List<Address> others) {
        return new NodeView(name, zone, addresses, others, podRanges);
    }

    public @Nullable Address primary(IpFamily family) {
        for (Address address : addresses) {
            if (IpFamily.of(address) == family) {
                return address;
            }
        }
        return null;
    }

    boolean has(Address address) {
        return addresses.contains(address) || interfaces.contains(address) || isLoopback(address);
    }

    public static boolean isLoopback(Address address) {
        return address.isIpv4() ? address.low() >>> 24 == 127 : address.high() == 0 && address.low() == 1;
    }
}
