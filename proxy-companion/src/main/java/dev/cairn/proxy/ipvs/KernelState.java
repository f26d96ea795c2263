package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.proxy.netlink.NetlinkException;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.sync.ApplyFailure;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What the kernel has, as far as we know: read from it once, and from then on changed with it. Used by one thread. */
final class KernelState {
    private final Map<ServerKey, Server> servers = new HashMap<>();
    /** The weights of real servers. */
    private final Map<ServerKey, Map<Endpoint, Integer>> reals = new HashMap<>();
    private final Set<Address> addresses = new HashSet<>();
    private final Set<Element> elements = new HashSet<>();
    private final Map<IpFamily, Map<HelperSet, Integer>> counts = new EnumMap<>(IpFamily.class);

    /** Reads everything. There is no way to ask for the real servers of all virtual servers at once. */
    static KernelState read(Balancer balancer, Helper helper) throws NetlinkException, ApplyFailure {
        KernelState state = new KernelState();
        state.servers.putAll(balancer.servers());
        for (ServerKey key : state.servers.keySet()) {
            Map<Endpoint, Integer> weights = new HashMap<>();
            balancer.reals(key).forEach((endpoint, real) -> weights.put(endpoint, real.weight()));
            state.reals.put(key, weights);
        }
        state.addresses.addAll(balancer.addresses());
        state.written(true, helper.elements());
        return state;
    }

    Map<ServerKey, Server> servers() {
        return servers;
    }

    Map<Endpoint, Integer> reals(ServerKey key) {
        return reals.getOrDefault(key, Map.of());
    }

    Set<Address> addresses() {
        return addresses;
    }

    /** The elements; not to be changed. */
    Set<Element> elements() {
        return elements;
    }

    /** How many elements a set has. */
    int count(HelperSet set, IpFamily family) {
        return counts.getOrDefault(family, Map.of()).getOrDefault(set, 0);
    }

    /** Elements were put in, or taken out. */
    void written(boolean add, Collection<Element> some) {
        for (Element element : some) {
            if (add ? elements.add(element) : elements.remove(element)) {
                counts.computeIfAbsent(element.family(), _ -> new EnumMap<>(HelperSet.class))
                        .merge(element.set(), add ? 1 : -1, Integer::sum);
            }
        }
    }

    /** A change was made. */
    void made(Change change) {
        switch (change) {
            case Change.PutServer(ServerKey key, Server server, boolean _) -> servers.put(key, server);
            case Change.DeleteServer(ServerKey key) -> {
                servers.remove(key);
                reals.remove(key);
            }
            case Change.PutReal(ServerKey key, Endpoint endpoint, int weight, boolean _) ->
                    reals.computeIfAbsent(key, _ -> new HashMap<>()).put(endpoint, weight);
            case Change.DeleteReal(ServerKey key, Endpoint endpoint) -> reals.getOrDefault(key, new HashMap<>()).remove(endpoint);
            case Change.AddAddress(Address address) -> addresses.add(address);
            case Change.DeleteAddress(Address address) -> addresses.remove(address);
        }
    }
}
