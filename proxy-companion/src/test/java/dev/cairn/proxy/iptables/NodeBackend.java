package dev.cairn.proxy.iptables;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.packets.Testbed;
import java.util.List;
import java.util.Set;

/** Makes backends for the node of a test bed. */
final class NodeBackend {
    private NodeBackend() {}

    static IptablesBackend of(Testbed testbed, Variant variant) {
        return of(testbed, new IptablesRunner(testbed.inside(Testbed.NODE, List.of())), variant);
    }

    /** With a kernel that routes 127.0.0.1. */
    static IptablesBackend of(Testbed testbed, IptablesRunner runner, Variant variant) {
        Testbed.run(testbed.inside(Testbed.NODE, List.of("sysctl", "-qw", "net.ipv4.conf.all.route_localnet=1")));
        return new IptablesBackend(runner, KernelFacts.NONE, Set.of(IpFamily.values()), 14, variant);
    }
}
