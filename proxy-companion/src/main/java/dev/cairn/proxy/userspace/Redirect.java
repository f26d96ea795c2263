package dev.cairn.proxy.userspace;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.plan.Frontend;
import dev.cairn.proxy.plan.PortPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * Where packets to a frontend are led.
 *
 * @param port the listener's; 0 for none
 * @param outsideDiffers whether what comes neither from a pod nor from the node goes elsewhere
 * @param outsidePort the listener for that; 0 for none
 * @param reject whether what goes to no listener is refused, and not dropped
 * @param sources from where packets are let in; empty for everywhere
 */
record Redirect(Frontend.Place place, int port, boolean outsideDiffers, int outsidePort, boolean reject, List<AddressRange> sources) {
    Redirect {
        sources = List.copyOf(sources);
    }

    /** The redirect of a frontend, with the listeners of its port for both sets of endpoints. */
    static Redirect of(PortPlan port, Frontend frontend, int clusterListener, int localListener) {
        boolean differs = frontend.isExternal() && port.externalLocal();
        int usual = !frontend.isExternal() && port.internalLocal() ? localListener : clusterListener;
        boolean reject = !port.sets().any() || port.protocol() == Protocol.SCTP;
        return new Redirect(frontend.place(), usual, differs, differs ? localListener : 0, reject, sources(port, frontend));
    }

    private static List<AddressRange> sources(PortPlan port, Frontend frontend) {
        Address address = frontend.place().address();
        if (!port.isFiltered(frontend) || address == null) {
            return List.of();
        }
        List<AddressRange> sources = new ArrayList<>(port.sourceRanges());
        if (port.selfAllowed() && sources.stream().noneMatch(range -> range.contains(address))) {
            sources.add(AddressRange.parse(address + (address.isIpv4() ? "/32" : "/128")));
        }
        return sources;
    }

    /** Whether some packets to it go to no listener. */
    boolean isRefusing() {
        return port == 0 || (outsideDiffers && outsidePort == 0);
    }
}
