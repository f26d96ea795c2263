package dev.cairn.proxy.plan;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * At which addresses of the node node ports are found.
 *
 * @param all at every one
 * @param primary at the primary one of each family
 * @param localhost at the loopback address
 * @param ranges at those in these ranges
 */
public record NodePortAddresses(boolean all, boolean primary, boolean localhost, List<AddressRange> ranges) {
    public static final NodePortAddresses PRIMARY = new NodePortAddresses(false, true, false, List.of());
    public static final NodePortAddresses ALL = new NodePortAddresses(true, false, false, List.of());

    public NodePortAddresses {
        ranges = List.copyOf(ranges);
    }

    /**
     * Reads words and ranges.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    public static NodePortAddresses parse(List<String> texts) {
        boolean all = false;
        boolean primary = false;
        boolean localhost = false;
        List<AddressRange> ranges = new ArrayList<>();
        for (String text : texts) {
            switch (text) {
                case "all" -> all = true;
                case "primary" -> primary = true;
                case "localhost" -> localhost = true;
                default -> ranges.add(AddressRange.parse(text));
            }
        }
        return new NodePortAddresses(all, primary, localhost, ranges);
    }

    /** Whether all addresses of a family are meant. */
    private boolean isAll(IpFamily family) {
        return all || (!primary && !localhost && ranges.stream().noneMatch(range -> range.family() == family));
    }

    /** Whether loopback addresses of IPv4 are meant, too. */
    public boolean coversLocalhost() {
        return localhost || isAll(IpFamily.IPV4);
    }

    /** The addresses of a family; null for all but loopback. Ranges that are all of the other family say nothing on this one: all. */
    public @Nullable List<Address> of(IpFamily family, NodeView node) {
        if (isAll(family)) {
            return null;
        }
        List<Address> chosen = new ArrayList<>();
        Address first = node.primary(family);
        if (primary && first != null) {
            chosen.add(first);
        }
        Stream.concat(node.addresses().stream(), node.interfaces().stream())
                .filter(address -> ranges.stream().anyMatch(range -> range.contains(address)))
                .filter(address -> !NodeView.isLoopback(address) && IpFamily.of(address) == family && !chosen.contains(address))
                .forEach(chosen::add);
        chosen.sort(null);
        return chosen.stream().distinct().toList();
    }
}
