package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.proxy.ipvs.ServiceState.Wanted;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.Frontend;
import dev.cairn.proxy.plan.PortPlan;
import dev.cairn.proxy.plan.ServicePlan;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Says what the plan of a service has in the kernel. */
final class ServiceServers {
    private final Scope scope;
    private final String scheduler;
    private final Map<ServerKey, Wanted> servers = new LinkedHashMap<>();
    private final Set<Address> addresses = new LinkedHashSet<>();
    private final Set<Element> elements = new LinkedHashSet<>();

    private ServiceServers(Scope scope, String scheduler) {
        this.scope = scope;
        this.scheduler = scheduler;
    }

    static ServiceState of(ServicePlan plan, Scope scope, String scheduler) {
        ServiceServers state = new ServiceServers(scope, scheduler);
        for (PortPlan port : plan.ports()) {
            if (scope.nodePorts().containsKey(port.family())) {
                port.frontends().forEach(frontend -> state.frontend(port, frontend));
                port.sets().here().forEach(endpoint -> state.elements.add(Element.hairpin(new ServerKey(port.protocol(), endpoint))));
            }
        }
        if (plan.healthCheckNodePort() != 0) {
            for (IpFamily family : scope.nodePorts().keySet()) {
                state.elements.add(new Element(HelperSet.HEALTH, family, List.of(Integer.toString(plan.healthCheckNodePort()))));
            }
        }
        return new ServiceState(state.servers, state.addresses, state.elements);
    }

    private void frontend(PortPlan port, Frontend frontend) {
        Address address = frontend.place().address();
        int number = frontend.place().port();
        if (address == null) {
            for (Address own : scope.nodePorts().getOrDefault(port.family(), List.of())) {
                server(port, frontend, new ServerKey(port.protocol(), new Endpoint(own, number)));
            }
            return;
        }
        if (!scope.own().contains(address)) {
            addresses.add(address);
            elements.add(new Element(HelperSet.ADDRESSES, port.family(), List.of(address.toString())));
        }
        server(port, frontend, new ServerKey(port.protocol(), new Endpoint(address, number)));
    }

    private void server(PortPlan port, Frontend frontend, ServerKey key) {
        List<Endpoint> endpoints = port.endpoints(frontend);
        boolean none = endpoints.isEmpty();
        if (!frontend.isExternal()) {
            elements.add(Element.place(HelperSet.CLUSTER, key));
            if (none && port.sets().any()) {
                elements.add(Element.place(HelperSet.DROP, key));
            }
        } else if (port.externalLocal()) {
            elements.add(Element.place(HelperSet.LOCAL, key));
            // A virtual server cannot tell who asks. Without an endpoint here it leads pods and the node elsewhere, and a rule drops the others.
            endpoints = none ? port.sets().cluster() : endpoints;
            if (none && port.sets().any()) {
                elements.add(Element.place(HelperSet.NO_LOCAL, key));
            }
        } else {
            elements.add(Element.place(HelperSet.MASQUERADE, key));
        }
        if (port.isFiltered(frontend)) {
            filter(port, key);
        }
        servers.put(key, new Wanted(Server.of(scheduler, port.affinitySeconds()), endpoints));
    }

    private void filter(PortPlan port, ServerKey key) {
        Address address = key.at().address();
        elements.add(Element.place(HelperSet.FIREWALL, key));
        for (AddressRange range : port.sourceRanges()) {
            elements.add(Element.allow(key, Element.text(range)));
        }
        if (port.selfAllowed() && port.sourceRanges().stream().noneMatch(range -> range.contains(address))) {
            elements.add(Element.allow(key, address.toString()));
        }
    }
}
