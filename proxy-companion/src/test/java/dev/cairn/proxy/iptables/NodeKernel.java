package dev.cairn.proxy.iptables;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.packets.Testbed;
import java.util.List;
import java.util.Set;

/** The kernel as a machine of the test bed sees it. */
final class NodeKernel implements KernelFacts {
    private final Testbed testbed;

    NodeKernel(Testbed testbed) {
        this.testbed = testbed;
    }

    /** A backend for the node of a test bed. */
    static IptablesBackend backend(Testbed on, Variant variant) {
        IptablesRunner runner = new IptablesRunner(on.inside(Testbed.NODE, List.of()));
        return new IptablesBackend(runner, new NodeKernel(on), Set.of(IpFamily.values()), 14, variant);
    }

    @Override
    public void routeLoopback() {
        Testbed.run(testbed.inside(Testbed.NODE, List.of("sysctl", "-qw", "net.ipv4.conf.all.route_localnet=1")));
    }
}
