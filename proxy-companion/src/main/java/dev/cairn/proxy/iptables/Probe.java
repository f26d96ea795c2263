package dev.cairn.proxy.iptables;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.proxy.plan.LocalDetector;
import dev.cairn.proxy.plan.NodePortAddresses;
import dev.cairn.proxy.plan.NodeView;
import dev.cairn.proxy.plan.TrafficOptions;
import dev.cairn.proxy.sync.Backend;
import java.util.List;
import java.util.Map;

/** Rules of the kinds that there may be, to find out whether the tool knows them. */
final class Probe {
    private final IpFamily family;

    Probe(IpFamily family) {
        this.family = family;
    }

    String script() {
        TrafficOptions options = new TrafficOptions(
                false, new LocalDetector.Interface("lo", false), NodePortAddresses.ALL, List.of(), false, true);
        Layout layout = Layout.of(family, new Backend.Desired(Map.of(), NodeView.UNKNOWN, options), 0, KernelFacts.NONE);
        RestoreScript script = new Difference(Listing.parse(""), Ruleset.of(layout, List.of()), new Difference.Spelling()).script();
        String list = "--name KUBE-PROXY-CANARY --rsource";
        Chain canary = new Chain(Table.NAT, Chain.CANARY);
        script.append(canary, Rule.rule().match("-m recent --rcheck --seconds 1 --reap " + list).oneOf(2).jump("RETURN"));
        script.append(canary, Rule.rule().match("-m recent --set " + list).jump("RETURN"));
        script.append(new Chain(Table.FILTER, Chain.CANARY), Rule.rule().jump(layout.reject()));
        return script.text();
    }
}
