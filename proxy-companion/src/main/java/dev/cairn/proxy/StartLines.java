package dev.cairn.proxy;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.facts.Address;
import dev.cairn.proxy.config.ProxyConfig;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.SyncLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is told in the log at the start: for which node and cluster it runs, and how. */
final class StartLines {
    private StartLines() {}

    /**
     * The lines.
     *
     * @param asked the settings as they were given
     * @param origin where the cluster is read from
     */
    static List<String> of(ProxyConfig asked, ModeChoice choice, NodeView node, String origin, String health, String metrics) {
        ProxyConfig used = choice.in(asked);
        TrafficOptions traffic = used.traffic(node);
        String addresses = join(node.addresses().stream().map(Address::toString));
        return List.of(
                "node " + node.name() + (addresses.isEmpty() ? "" : " (" + addresses + ")") + ", mode " + why(asked, choice) + ", cluster from " + origin,
                pods(used, traffic.detector()) + "; node ports at " + nodePorts(traffic.nodePortAddresses()) + "; health at " + health
                        + ", metrics at " + metrics + "; all is compared with the kernel every " + SyncLoop.AUDIT.toMinutes() + " minutes");
    }

    private static String why(ProxyConfig asked, ModeChoice choice) {
        String given = asked.text("mode", "auto");
        return choice.mode() + (choice.complaint() != null ? " (instead of " + asked.mode() + ", which cannot be had)"
                : given.equals("auto") ? " (the default)" : " (as set)");
    }

    private static String pods(ProxyConfig used, LocalDetector detector) {
        return switch (detector) {
            case LocalDetector.Interface(String name, boolean prefix) -> "pods come in by interface " + name + (prefix ? "*" : "");
            case LocalDetector.Ranges _ when used.text("detectLocalMode", "").equals("NodeCIDR") -> "pods have the addresses that the Node object tells";
            case LocalDetector.Ranges(List<AddressRange> ranges) -> ranges.isEmpty()
                    ? "addresses of pods unknown (--cluster-cidr), so that only what has to be is masqueraded"
                    : "pods have addresses of " + join(ranges.stream().map(AddressRange::toString));
        };
    }

    private static String nodePorts(NodePortAddresses places) {
        List<String> words = new ArrayList<>(places.ranges().stream().map(AddressRange::toString).toList());
        if (places.primary()) {
            words.add("the primary addresses");
        }
        if (places.localhost()) {
            words.add("127.0.0.1");
        }
        return places.all() || words.isEmpty() ? "all addresses" : join(words.stream());
    }

    private static String join(Stream<String> words) {
        return words.collect(Collectors.joining(", "));
    }
}
