package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.proxy.nft.BalanceChains.Space;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.Frontend;
import dev.cairn.proxy.plan.PortPlan;
import dev.cairn.proxy.plan.ServicePlan;
import java.util.List;

/** Says which elements the plan of a service has in the sets of a family. */
final class ServiceElements {
    private static final Packed REJECT = Packed.chain("reject-chain");

    private final IpFamily family;
    private final BalanceChains chains;
    private final Sink sink;

    /** Takes elements. The value is empty in a set that is no map. */
    interface Sink {
        void element(NftSet set, Packed key, Packed value);
    }

    ServiceElements(IpFamily family, BalanceChains chains, Sink sink) {
        this.family = family;
        this.chains = chains;
        this.sink = sink;
    }

    void of(ServicePlan plan) {
        for (PortPlan port : plan.ports()) {
            if (port.family() == family) {
                port.frontends().forEach(frontend -> frontend(port, frontend));
                hairpin(port);
            }
        }
    }

    private void frontend(PortPlan port, Frontend frontend) {
        boolean nodePort = frontend.kind() == Frontend.Kind.NODE_PORT;
        Packed place = place(frontend);
        Address address = frontend.place().address();
        if (frontend.kind() == Frontend.Kind.CLUSTER_IP && address != null) {
            sink.element(NftSet.CLUSTER_IPS, Packed.of(address), Packed.EMPTY);
        }
        int cluster = port.sets().cluster().size();
        int local = port.sets().local().size();
        boolean stays = port.isLocal(frontend);
        if (port.endpoints(frontend).isEmpty()) {
            sink.element(nodePort ? NftSet.NO_ENDPOINT_NODEPORTS : NftSet.NO_ENDPOINT_SERVICES, place, port.sets().any() ? Packed.EMPTY : REJECT);
        }
        if (port.isFiltered(frontend) && address != null) {
            filter(port, place, address);
        }
        boolean aroundPolicy = stays && frontend.isExternal();
        if (cluster > 0 && (!stays || aroundPolicy)) {
            slots(new Space(nodePort, false, port.protocol()), place, port.sets().cluster());
        }
        if (local > 0 && stays) {
            slots(new Space(nodePort, true, port.protocol()), place, port.sets().local());
        }
        String chain = chain(port, frontend, nodePort, stays ? local : cluster);
        if (!chain.isEmpty()) {
            sink.element(nodePort ? NftSet.SERVICE_NODEPORTS : NftSet.SERVICE_IPS, place, Packed.chain(chain));
            if (port.affinitySeconds() > 0 && family == IpFamily.IPV4) {
                sink.element(nodePort ? NftSet.AFFINITY_NODEPORTS : NftSet.AFFINITY_SERVICES, place,
                        Packed.chain(chains.learn(port.affinitySeconds())));
            }
        }
    }

    private String chain(PortPlan port, Frontend frontend, boolean nodePort, int count) {
        int affinity = port.affinitySeconds();
        if (!frontend.isExternal()) {
            return count == 0 ? "" : chains.balance(new Space(false, port.internalLocal(), port.protocol()), count, affinity);
        }
        int cluster = port.sets().cluster().size();
        if (cluster == 0) {
            return "";
        }
        Space anywhere = new Space(nodePort, false, port.protocol());
        return port.externalLocal() ? chains.local(anywhere, cluster, count, affinity) : chains.masqueraded(anywhere, cluster, affinity);
    }

    private void slots(Space space, Packed place, List<Endpoint> endpoints) {
        NftSet set = space.endpoints();
        for (int i = 0; i < endpoints.size(); i++) {
            sink.element(set, place.andNumber(i), target(endpoints.get(i)));
        }
    }

    static Packed target(Endpoint endpoint) {
        return Packed.of(endpoint.address()).andPort(endpoint.port());
    }

    static Packed place(Frontend frontend) {
        Frontend.Place place = frontend.place();
        return (place.address() == null ? Packed.EMPTY : Packed.of(place.address())).and(place.protocol()).andPort(place.port());
    }

    private void filter(PortPlan port, Packed place, Address address) {
        sink.element(NftSet.FIREWALL_IPS, place, Packed.EMPTY);
        for (AddressRange range : port.sourceRanges()) {
            sink.element(NftSet.FIREWALL_ALLOW, place.andRange(range), Packed.EMPTY);
        }
        if (port.selfAllowed() && port.sourceRanges().stream().noneMatch(range -> range.contains(address))) {
            sink.element(NftSet.FIREWALL_ALLOW, place.andRange(new AddressRange(address, 8 * address.bytes().length)), Packed.EMPTY);
        }
    }

    /** Only what is on this node can be sent back to where it came from by this node. */
    private void hairpin(PortPlan port) {
        for (Endpoint endpoint : port.sets().here()) {
            Packed address = Packed.of(endpoint.address());
            sink.element(NftSet.HAIRPIN, address.and(address).and(port.protocol()).andPort(endpoint.port()), Packed.EMPTY);
        }
    }
}
