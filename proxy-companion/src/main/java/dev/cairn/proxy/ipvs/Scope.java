package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.Backend;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What of the node decides over all services. If it changes, everything is looked at again.
 *
 * @param nodePorts at which addresses node ports are found
 * @param own addresses that the node has on other links, which ours need not have
 * @param rules what the rules are made of
 */
record Scope(Map<IpFamily, List<Address>> nodePorts, Set<Address> own, TrafficOptions rules) {
    static Scope of(Backend.Desired desired, Set<IpFamily> families) {
        NodeView node = desired.node();
        Map<IpFamily, List<Address>> nodePorts = new EnumMap<>(IpFamily.class);
        for (IpFamily family : families) {
            List<Address> chosen = desired.options().nodePortAddresses().of(family, node);
            nodePorts.put(family, chosen != null ? chosen : all(node, family));
        }
        return new Scope(nodePorts, new HashSet<>(node.interfaces()), desired.options().withServiceRanges(List.of()));
    }

    /** The kernel wants a virtual server for each address. */
    private static List<Address> all(NodeView node, IpFamily family) {
        Stream<Address> all = node.interfaces().isEmpty() ? node.addresses().stream() : node.interfaces().stream();
        return all.filter(address -> IpFamily.of(address) == family && !isLoopback(address)).distinct().sorted().toList();
    }

    private static boolean isLoopback(Address address) {
        return address.isIpv4() ? address.low() >>> 24 == 127 : address.high() == 0 && address.low() == 1;
    }
}
