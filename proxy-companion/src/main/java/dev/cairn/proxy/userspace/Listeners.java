package dev.cairn.proxy.userspace;

import dev.cairn.cluster.control.IpFamily;
import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;
import dev.cairn.proxy.plan.Endpoint;
import dev.cairn.proxy.plan.Frontend;
import dev.cairn.proxy.plan.PortPlan;
import dev.cairn.proxy.plan.ServiceName;
import dev.cairn.proxy.plan.ServicePlan;
import dev.cairn.proxy.sync.ApplyFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The listeners of services: one for each set of endpoints that a port has, since who may use which is decided by the gate. Used by one
 * thread.
 */
final class Listeners {
    private final Opener opener;
    private final Map<ServiceName, Map<Key, RelayListener>> open = new HashMap<>();

    /** What a listener is for. */
    private record Key(String port, Protocol protocol, Address at, boolean local) {}

    /** Makes listeners. */
    interface Opener {
        RelayListener open(Protocol protocol, InetSocketAddress at, Targets targets) throws IOException;
    }

    Listeners(Opener opener) {
        this.opener = opener;
    }

    /**
     * Opens what a service has no listener for, has the others follow their endpoints, and says where packets are to be led. None is
     * closed.
     */
    List<Redirect> follow(ServicePlan plan, List<Crossing> crossings) throws ApplyFailure {
        List<Redirect> redirects = new ArrayList<>();
        for (Crossing crossing : crossings) {
            for (PortPlan port : plan.ports()) {
                if (port.family() == crossing.family()) {
                    int cluster = port(plan.name(), port, crossing.at(), false);
                    int local = port(plan.name(), port, crossing.at(), true);
                    port.frontends().forEach(frontend -> redirects.add(Redirect.of(port, frontend, cluster, local)));
                }
            }
        }
        return redirects;
    }

    /** Those that have listeners. */
    Set<ServiceName> services() {
        return open.keySet();
    }

    private int port(ServiceName service, PortPlan port, Address at, boolean local) throws ApplyFailure {
        if (!isUsed(port, local)) {
            return 0;
        }
        List<Endpoint> endpoints = endpoints(port, local);
        Targets targets = new Targets(endpoints, port.protocol() == Protocol.UDP ? port.serving() : endpoints, port.affinitySeconds());
        Map<Key, RelayListener> own = open.computeIfAbsent(service, _ -> new HashMap<>());
        Key key = new Key(port.name(), port.protocol(), at, local);
        RelayListener there = own.get(key);
        if (there != null) {
            there.update(targets);
            return there.port();
        }
        try {
            RelayListener made = opener.open(port.protocol(), new InetSocketAddress(InetAddress.getByAddress(at.bytes()), 0), targets);
            own.put(key, made);
            return made.port();
        } catch (IOException e) {
            throw new ApplyFailure("cannot listen at " + at + " for service " + service + ": " + e.getMessage(), false);
        }
    }

    private static List<Endpoint> endpoints(PortPlan port, boolean local) {
        return local ? port.sets().local() : port.sets().cluster();
    }

    /** Whether packets are led to a listener for one of the sets. SCTP is not carried. */
    private static boolean isUsed(PortPlan port, boolean local) {
        return port.protocol() != Protocol.SCTP && !endpoints(port, local).isEmpty()
                && port.frontends().stream().anyMatch(frontend -> local ? port.isLocal(frontend) : usesCluster(port, frontend));
    }

    private static boolean usesCluster(PortPlan port, Frontend frontend) {
        return frontend.isExternal() || !port.internalLocal();
    }

    /** Closes the listeners of a service to which no redirect leads; all of them if it is gone. */
    void closeUnused(ServiceName service, List<Redirect> redirects) {
        Map<Key, RelayListener> own = open.get(service);
        if (own == null) {
            return;
        }
        own.entrySet().removeIf(entry -> {
            boolean used = redirects.stream().anyMatch(redirect -> redirect.place().protocol() == entry.getKey().protocol()
                    && (redirect.port() == entry.getValue().port() || redirect.outsidePort() == entry.getValue().port())
                    && redirect.place().family() == IpFamily.of(entry.getKey().at()));
            if (!used) {
                entry.getValue().close();
            }
            return !used;
        });
        if (own.isEmpty()) {
            open.remove(service);
        }
    }

    /** Who answers the clients of a service's UDP port, as the connection tracker sees it. */
    List<Endpoint> answering(ServiceName service, PortPlan port) {
        List<Endpoint> own = new ArrayList<>();
        open.getOrDefault(service, Map.of()).forEach((key, listener) -> {
            if (key.port().equals(port.name()) && key.protocol() == port.protocol()
                    && IpFamily.of(key.at()) == port.family()) {
                own.add(new Endpoint(key.at(), listener.port()));
            }
        });
        return own;
    }

    void close() {
        open.values().forEach(own -> own.values().forEach(RelayListener::close));
        open.clear();
    }
}
