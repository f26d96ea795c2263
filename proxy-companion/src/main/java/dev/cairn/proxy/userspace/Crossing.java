package dev.cairn.proxy.userspace;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.TrafficOptions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How packets of a family come to the listeners, whatever services there are.
 *
 * @param at the address of this node that listeners have
 * @param nodePorts where node ports are found; null for all addresses of the node
 * @param localhost whether they are found at loopback addresses, too
 * @param podRange where pods have their addresses; null if they are not told by that
 * @param podDevice the interface of pods, with {@code *} at the end if it is the beginning of names; empty if they are not told by that
 * @param mark what is on packets that the relay itself sends
 */
record Crossing(
        IpFamily family,
        Address at,
        @Nullable List<Address> nodePorts,
        boolean localhost,
        @Nullable AddressRange podRange,
        String podDevice,
        int mark) {
    static Crossing of(IpFamily family, NodeView node, TrafficOptions options, int mark) {
        NodePortAddresses addresses = options.nodePortAddresses();
        List<Address> chosen = addresses.of(family, node);
        boolean localhost = options.localhostNodePorts() && family == IpFamily.IPV4 && (chosen == null || addresses.localhost());
        AddressRange range = null;
        String device = "";
        switch (options.detector()) {
            case LocalDetector.Ranges ranges -> range = ranges.of(family);
            case LocalDetector.Interface(String name, boolean prefix) -> device = name + (prefix ? "*" : "");
        }
        return new Crossing(family, address(family, node), chosen, localhost, range, device, mark);
    }

    /** The node's own address if one of its interfaces has it, else another; with loopback alone, at least the node's processes are served. */
    private static Address address(IpFamily family, NodeView node) {
        return Stream.concat(node.addresses().stream().filter(node.interfaces()::contains), node.interfaces().stream())
                .filter(address -> IpFamily.of(address) == family && !NodeView.isLoopback(address))
                .findFirst()
                .orElseGet(() -> Objects.requireNonNull(Address.parse(family == IpFamily.IPV4 ? "127.0.0.1" : "::1")));
    }

    /** {@code ip} or {@code ip6}. */
    String word() {
        return family == IpFamily.IPV4 ? "ip" : "ip6";
    }

    String loopback() {
        return family == IpFamily.IPV4 ? "127.0.0.0/8" : "::1";
    }
}
