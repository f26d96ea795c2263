package dev.cairn.zone;

import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.ImportFact;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.WireName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names of a cluster zone ({@code SERVICE.NAMESPACE.svc.ZONE} and below). One thread changes it, service by service; readers see each
 * change whole, by one volatile read at each level, without locks or garbage. A change costs what the service has, not what the cluster has.
 */
public final class ClusterZone {
    private final ZoneOptions options;
    private final int zoneLabels;
    private final Map<String, NamespaceNames> byNamespace = new HashMap<>();
    private volatile NameMap<NamespaceNames> namespaces = NameMap.copyOf(Map.of());

    /** The services of a namespace. */
    private static final class NamespaceNames {
        private final Map<WireName, ServiceSlot> all = new HashMap<>();
        private volatile NameMap<ServiceSlot> services = NameMap.copyOf(Map.of());
    }

    /** The place of a service, whose names may change in it. */
    private static final class ServiceSlot {
        private volatile ServiceNames names;

        ServiceSlot(ServiceNames names) {
            this.names = names;
        }
    }

    ClusterZone(ZoneOptions options) {
        this.options = options;
        this.zoneLabels = options.zone().labelCount();
    }

    public ZoneOptions options() {
        return options;
    }

    /** How many labels the question's name has left of the zone. */
    public int relativeLabels(QueryView query) {
        return query.labelCount() - zoneLabels;
    }

    /** Whether the namespace in the question's name exists; the name has it as the second label left of the zone. */
    public boolean hasNamespace(QueryView query) {
        return namespaceOf(query) != null;
    }

    private @Nullable NamespaceNames namespaceOf(QueryView query) {
        return namespaces.getSuffix(query, relativeLabels(query) - 2);
    }

    /**
     * What stands at a name of the form {@code [... ].SERVICE.NAMESPACE.svc.ZONE}; null if it does not exist. The caller has checked that the
     * label before the zone is {@code svc} and that there are at least three.
     */
    public @Nullable NameEntry find(QueryView query, int type) {
        ServiceNames names = service(query);
        if (names == null) {
            return null;
        }
        return relativeLabels(query) == 3 ? names.own(type) : names.below(query);
    }

    /** The endpoints of the question's service in a topology zone; null if there is no such headless service. */
    public @Nullable NameEntry findZonal(QueryView query, String topologyZone, boolean prefer) {
        ServiceNames names = service(query);
        return names != null && names.isHeadless() ? names.zonal(topologyZone, prefer) : null;
    }

    private @Nullable ServiceNames service(QueryView query) {
        NamespaceNames namespace = namespaceOf(query);
        if (namespace == null) {
            return null;
        }
        ServiceSlot slot = namespace.services.getSuffix(query, relativeLabels(query) - 3);
        return slot == null ? null : slot.names;
    }

    // What follows is for the one thread that changes the zone.

    void addNamespace(String name) {
        if (options.tells(name) && byNamespace.putIfAbsent(name, new NamespaceNames()) == null) {
            publishNamespaces();
        }
    }

    void removeNamespace(String name) {
        if (byNamespace.remove(name) != null) {
            publishNamespaces();
        }
    }

    private void publishNamespaces() {
        Map<WireName, NamespaceNames> all = new HashMap<>();
        byNamespace.forEach((name, names) -> {
            all.put(WireName.parse(name + ".svc." + options.zone()), names);
            all.put(WireName.parse(name + ".pod." + options.zone()), names);
        });
        namespaces = NameMap.copyOf(all);
    }

    /** Puts a service in the place of what it was before, or takes it out if it has nothing to tell. */
    void change(String namespace, String name, @Nullable ServiceNames names) {
        NamespaceNames in = byNamespace.get(namespace);
        if (in == null) {
            return;
        }
        WireName owner = owner(namespace, name);
        ServiceSlot slot = in.all.get(owner);
        if (names != null && slot != null) {
            slot.names = names;
        } else if (names != null) {
            in.all.put(owner, new ServiceSlot(names));
            in.services = NameMap.copyOf(in.all);
        } else if (slot != null) {
            in.all.remove(owner);
            in.services = NameMap.copyOf(in.all);
        }
    }

    WireName owner(String namespace, String name) {
        return WireName.parse(name + "." + namespace + ".svc." + options.zone());
    }

    /** The names of a service of the cluster itself; null if its name shall not exist now. */
    @Nullable ServiceNames names(ServiceFact service, Collection<SliceFact> slices) {
        WireName owner = owner(service.namespace(), service.name());
        List<ServicePoint> endpoints = endpoints(owner, slices);
        return switch (service.kind()) {
            case EXTERNAL_NAME -> external(owner, service.externalName());
            // A headless service without an endpoint to name does not exist (DNS-based service discovery, section 2.4.1).
            case HEADLESS -> endpoints.isEmpty() ? null : new ServiceNames(owner, options.ttl(), endpoints, endpoints);
            case CLUSTER_IP -> endpoints.isEmpty() && !options.emptyServices()
                    ? null
                    : new ServiceNames(owner, options.ttl(), points(owner, service.clusterIps(), service.ports()), endpoints);
        };
    }

    /** The names of an imported service. */
    @Nullable ServiceNames names(ImportFact service, Collection<SliceFact> slices) {
        WireName owner = owner(service.namespace(), service.name());
        List<ServicePoint> endpoints = endpoints(owner, slices);
        if (service.headless()) {
            return endpoints.isEmpty() ? null : new ServiceNames(owner, options.ttl(), endpoints, endpoints);
        }
        return endpoints.isEmpty() && !options.emptyServices()
                ? null
                : new ServiceNames(owner, options.ttl(), points(owner, service.ips(), service.ports()), endpoints);
    }

    /** An alias; none to something that is an address, which a name cannot stand for. */
    private @Nullable ServiceNames external(WireName owner, String target) {
        if (Address.parse(target) != null) {
            return null;
        }
        try {
            return new ServiceNames(owner, options.ttl(), WireName.parse(target));
        } catch (IllegalArgumentException e) {
            return null; // the API server lets names pass that DNS does not
        }
    }

    private static List<ServicePoint> points(WireName owner, List<Address> addresses, List<PortFact> ports) {
        List<ServicePoint> points = new ArrayList<>();
        for (Address address : addresses) {
            for (PortFact port : ports) {
                points.add(new ServicePoint(owner, address, port, ""));
            }
            if (ports.isEmpty()) {
                points.add(new ServicePoint(owner, address, null, ""));
            }
        }
        return points;
    }

    private List<ServicePoint> endpoints(WireName owner, Collection<SliceFact> slices) {
        List<ServicePoint> points = new ArrayList<>();
        for (SliceFact slice : slices) {
            for (EndpointFact endpoint : slice.endpoints()) {
                if (endpoint.ready()) {
                    addEndpoint(points, owner, slice, endpoint);
                }
            }
        }
        return points;
    }

    private void addEndpoint(List<ServicePoint> points, WireName owner, SliceFact slice, EndpointFact endpoint) {
        String label = label(endpoint) + (slice.isImported() ? "." + slice.clusterId() : "");
        WireName name = WireName.parse(label.toLowerCase(Locale.ROOT) + "." + owner);
        for (PortFact port : slice.ports()) {
            points.add(new ServicePoint(name, endpoint.address(), port, endpoint.zone()));
        }
        if (slice.ports().isEmpty()) {
            points.add(new ServicePoint(name, endpoint.address(), null, endpoint.zone()));
        }
    }

    /** The first label of an endpoint's name: its host name, else its pod's, else its address with dashes. */
    private String label(EndpointFact endpoint) {
        if (!endpoint.hostname().isEmpty()) {
            return endpoint.hostname();
        }
        if (options.podNames() && !endpoint.podName().isEmpty() && endpoint.podName().length() <= WireName.MAX_LABEL) {
            return endpoint.podName();
        }
        String dashed = endpoint.address().toString().replace('.', '-').replace(':', '-');
        return dashed.endsWith("-") ? dashed + "0" : dashed;
    }
}
