package dev.cairn.proxy.ipvs;

import dev.cairn.facts.Address;
import dev.cairn.proxy.ipvs.ServiceState.Wanted;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.sync.Audit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Says in lines how the kernel differs from what shall be. */
final class Differences {
    private final List<String> lines = new ArrayList<>();
    private final List<String> foreign = new ArrayList<>();

    private Differences() {}

    static Audit of(
            KernelState there, Map<ServerKey, Wanted> servers, Set<Address> addresses, Set<Element> elements, IpvsOptions options) {
        Differences differences = new Differences();
        servers.forEach((key, wanted) -> differences.server(there, key, wanted));
        Ownership ours = new Ownership(there.addresses(), Set.of(), options);
        there.servers().forEach((key, server) -> {
            if (!servers.containsKey(key)) {
                boolean own = ours.includes(key, server);
                (own ? differences.lines : differences.foreign).add("virtual server " + key + (own ? " is there without need" : ""));
            }
        });
        for (Address address : addresses) {
            if (!there.addresses().contains(address)) {
                differences.lines.add(Balancer.LINK + " lacks " + address);
            }
        }
        for (Address address : there.addresses()) {
            if (!addresses.contains(address) && !options.isExcluded(address)) {
                differences.lines.add(Balancer.LINK + " has " + address + " without need");
            }
        }
        for (Element element : elements) {
            if (!there.elements().contains(element)) {
                differences.lines.add("set " + element.set().text() + " lacks " + IptablesHelper.text(element));
            }
        }
        for (Element element : there.elements()) {
            if (!elements.contains(element)) {
                differences.lines.add("set " + element.set().text() + " has " + IptablesHelper.text(element) + " without need");
            }
        }
        differences.foreign.sort(null);
        return new Audit(differences.lines, differences.foreign);
    }

    private void server(KernelState there, ServerKey key, Wanted wanted) {
        Server server = there.servers().get(key);
        if (server == null) {
            lines.add("virtual server " + key + " is missing");
            return;
        }
        if (!server.equals(wanted.server())) {
            lines.add("virtual server " + key + " has " + server + " instead of " + wanted.server());
        }
        Map<Endpoint, Integer> weights = there.reals(key);
        for (Endpoint endpoint : wanted.endpoints()) {
            if (weights.getOrDefault(endpoint, 0) != 1) {
                lines.add("virtual server " + key + " lacks real server " + endpoint);
            }
        }
        weights.forEach((endpoint, weight) -> {
            // One without weight is on its way out.
            if (weight != 0 && !wanted.endpoints().contains(endpoint)) {
                lines.add("virtual server " + key + " has real server " + endpoint + " without need");
            }
        });
    }
}
