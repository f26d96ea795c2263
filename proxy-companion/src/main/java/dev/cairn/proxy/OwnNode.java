package dev.cairn.proxy;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.proxy.plan.NodeView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What the machine says of itself. */
final class OwnNode {
    /** The link that has the addresses of services in the mode ipvs; they are not the node's. */
    static final String SERVICE_LINK = "kube-ipvs0";

    private OwnNode() {}

    /** The node by its interfaces. Until a Node object says otherwise, the first address of a family that is no loopback one is its own. */
    static NodeView view(String name) {
        List<Address> all = interfaces();
        List<Address> own = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            all.stream().filter(address -> IpFamily.of(address) == family && !isLoopback(address)).sorted().findFirst().ifPresent(own::add);
        }
        return new NodeView(name, "", own, all, List.of());
    }

    /** The addresses of its interfaces, but for those of services. */
    static List<Address> interfaces() {
        List<Address> all = new ArrayList<>();
        try {
            NetworkInterface.networkInterfaces()
                    .filter(link -> !link.getName().equals(SERVICE_LINK))
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLinkLocalAddress())
                    .forEach(address -> all.add(Address.of(address.getAddress())));
        } catch (SocketException e) {
            throw new CommandFailure(CairnProxy.FAILURE, "the interfaces of this machine cannot be listed: " + e.getMessage());
        }
        return List.copyOf(all);
    }

    private static boolean isLoopback(Address address) {
        try {
            return InetAddress.getByAddress(address.bytes()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new AssertionError("an address has 4 or 16 bytes", e);
        }
    }

    /** The families that the kernel has. */
    static Set<IpFamily> families() {
        return Files.exists(Path.of("/proc/net/if_inet6")) ? EnumSet.allOf(IpFamily.class) : EnumSet.of(IpFamily.IPV4);
    }

    /** How many processors the machine has, whatever part of them is ours. */
    static int processors() {
        try {
            int count = 0;
            for (String range : Files.readString(Path.of("/sys/devices/system/cpu/online")).strip().split(",", -1)) {
                String[] ends = range.split("-", -1);
                count += Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1;
            }
            return count;
        } catch (IOException _) {
            return Runtime.getRuntime().availableProcessors();
        }
    }
}
