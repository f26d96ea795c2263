package dev.cairn.proxy.ipvs;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.proxy.plan.Endpoint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A kernel in memory, whose real servers have as many connections as a test wants, and which refuses what a test wants. */
final class FakeKernel extends Kernel implements Balancer, Helper {
    final Map<ServerKey, Server> servers = new HashMap<>();
    final Map<ServerKey, Map<Endpoint, RealServer>> reals = new HashMap<>();
    final Set<KubeProxySets.NodePort> nodePorts = new HashSet<>();
    final Set<Address> addresses = new HashSet<>();
    final Set<Element> elements = new HashSet<>();
    final List<Change> made = new ArrayList<>();
    final Set<String> missingSchedulers = new HashSet<>();

    FakeKernel() {
        super(Set.of(IpFamily.values()));
    }

    @Override
    Balancer balancer() {
        return this;
    }

    @Override
    Helper helper() {
        return this;
    }

    @Override
    List<Helper> helpers() {
        return List.of(this);
    }

    @Override
    boolean isLoaded() {
        return true;
    }

    @Override
    Set<KubeProxySets.NodePort> nodePortsOfKubeProxy() {
        return nodePorts;
    }

    @Override
    void forget(List<Change> changes) {}

    void connections(ServerKey key, Endpoint endpoint, int count) {
        reals.get(key).computeIfPresent(endpoint, (_, real) -> new RealServer(real.weight(), count));
    }

    @Override
    public Map<ServerKey, Server> servers() {
        return Map.copyOf(servers);
    }

    @Override
    public Map<ServerKey, Server> servers(List<ServerKey> keys) {
        Map<ServerKey, Server> some = new HashMap<>(servers);
        some.keySet().retainAll(keys);
        return some;
    }

    @Override
    public boolean areLocal(Set<Address> all) {
        return addresses.containsAll(all);
    }

    @Override
    public Map<Endpoint, RealServer> reals(ServerKey key) {
        return Map.copyOf(reals.getOrDefault(key, Map.of()));
    }

    @Override
    public Set<Address> addresses() {
        return Set.copyOf(addresses);
    }

    @Override
    public void makeLink() {}

    @Override
    public boolean removeLink() {
        boolean there = !addresses.isEmpty();
        addresses.clear();
        return there;
    }

    @Override
    public void make(List<? extends Change> changes) throws Refusal {
        for (Change change : changes) {
            made.add(change);
            switch (change) {
                case Change.PutServer(ServerKey key, Server server, boolean isNew) -> {
                    if (missingSchedulers.contains(server.scheduler())) {
                        throw new Refusal(change, 2);
                    }
                    refuse(change, isNew == servers.containsKey(key));
                    servers.put(key, server);
                    reals.computeIfAbsent(key, _ -> new HashMap<>());
                }
                case Change.DeleteServer(ServerKey key) -> {
                    servers.remove(key);
                    reals.remove(key);
                }
                case Change.PutReal(ServerKey key, Endpoint endpoint, int weight, boolean isNew) -> {
                    refuse(change, isNew == reals.get(key).containsKey(endpoint));
                    RealServer before = reals.get(key).get(endpoint);
                    reals.get(key).put(endpoint, new RealServer(weight, before == null ? 0 : before.connections()));
                }
                case Change.DeleteReal(ServerKey key, Endpoint endpoint) -> reals.get(key).remove(endpoint);
                case Change.AddAddress(Address address) -> addresses.add(address);
                case Change.DeleteAddress(Address address) -> addresses.remove(address);
            }
        }
    }

    private static void refuse(Change change, boolean wrong) throws Refusal {
        if (wrong) {
            throw new Refusal(change, 17);
        }
    }

    @Override
    public void timeouts(int tcpSeconds, int tcpFinSeconds, int udpSeconds) {}

    @Override
    public void load(HelperRules rules) {}

    @Override
    public Set<Element> elements() {
        return Set.copyOf(elements);
    }

    @Override
    public void add(Collection<Element> more) {
        elements.addAll(more);
    }

    @Override
    public void remove(Collection<Element> less) {
        elements.removeAll(less);
    }

    @Override
    public List<String> missing(HelperRules rules) {
        return List.of();
    }

    @Override
    public List<String> cleanUp() {
        elements.clear();
        return List.of();
    }

    @Override
    public void close() {}
}
