package dev.cairn.cluster.control;

import dev.cairn.cluster.control.ClusterObject.Port;
import dev.cairn.cluster.control.ClusterObject.ServiceObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Gives services their node ports, in the same order as {@code ServiceAddresses} gives addresses. Used by one thread, once. */
final class NodePorts {
    private final PortRange range;
    private final Map<String, Integer> before;
    private final Pool<Integer> pool;
    private final Map<Integer, ServiceObject> owners = new HashMap<>();
    private final Map<String, Integer> given = new HashMap<>();

    NodePorts(PortRange range, Allocations before) {
        this.range = range;
        this.before = before.nodePorts();
        pool = new Pool<>(range.size(), range.band(), index -> range.first() + index);
    }

    Map<String, Integer> given() {
        return given;
    }

    /** The node port of a service's port, 0 if it has none. */
    int of(ServiceObject service, Port port) {
        return given.getOrDefault(Allocations.nodePort(service.meta(), port), 0);
    }

    /** Gives node ports; gives back, with the reason, the services that are refused. */
    Map<ServiceObject, String> assign(List<ServiceObject> services) {
        Map<ServiceObject, String> refused = new LinkedHashMap<>();
        List<ServiceObject> needy = new ArrayList<>(services);
        needy.removeIf(service -> !service.hasNodePorts());
        needy.stream().sorted(Comparator.comparing(this::isNewChoice)).forEach(service -> attempt(service, refused, () -> claim(service)));
        needy.removeAll(refused.keySet());
        needy.removeIf(service -> !service.nodePorts());
        needy.forEach(this::keep);
        needy.stream().sorted(Comparator.comparing(service -> service.meta().key()))
                .forEach(service -> attempt(service, refused, () -> allocate(service)));
        return refused;
    }

    private static void attempt(ServiceObject service, Map<ServiceObject, String> refused, Runnable step) {
        try {
            step.run();
        } catch (Refusal e) {
            refused.put(service, String.valueOf(e.getMessage()));
        }
    }

    private boolean isNewChoice(ServiceObject service) {
        return service.ports().stream().anyMatch(port -> port.nodePort() != 0
                && before.getOrDefault(Allocations.nodePort(service.meta(), port), 0) != port.nodePort());
    }

    private void claim(ServiceObject service) {
        // One service may have the same node port for several protocols, two services may not share one.
        Set<String> own = new HashSet<>();
        for (int i = 0; i < service.ports().size(); i++) {
            Port port = service.ports().get(i);
            if (port.nodePort() == 0) {
                continue;
            }
            String place = "spec.ports[" + i + "].nodePort: ";
            if (port.nodePort() < range.first() || port.nodePort() > range.last()) {
                throw new Refusal(place + "Invalid value: " + port.nodePort()
                        + ": provided port is not in the valid range. The range of valid ports is " + range);
            }
            if (!own.add(port.protocol() + "/" + port.nodePort())) {
                throw new Refusal(place + "Duplicate value: " + port.nodePort());
            }
            ServiceObject owner = owners.get(port.nodePort());
            if (owner != null) {
                throw new Refusal(place + "Invalid value: " + port.nodePort() + ": provided port is already allocated, to "
                        + owner.meta().key() + " at " + owner.meta().origin());
            }
        }
        for (Port port : service.ports()) {
            if (port.nodePort() != 0) {
                owners.put(port.nodePort(), service);
                pool.take(port.nodePort());
                given.put(Allocations.nodePort(service.meta(), port), port.nodePort());
            }
        }
    }

    private void keep(ServiceObject service) {
        for (Port port : service.ports()) {
            String key = Allocations.nodePort(service.meta(), port);
            Integer had = before.get(key);
            if (had != null && !given.containsKey(key) && had >= range.first() && had <= range.last() && pool.take(had)) {
                given.put(key, had);
            }
        }
    }

    private void allocate(ServiceObject service) {
        for (Port port : service.ports()) {
            String key = Allocations.nodePort(service.meta(), port);
            if (given.containsKey(key)) {
                continue;
            }
            Integer number = pool.takeFor(key);
            if (number == null) {
                throw new Refusal("failed to allocate a nodePort: range is full");
            }
            given.put(key, number);
        }
    }
}
