package dev.cairn.zone;

import dev.cairn.facts.Address;
import dev.cairn.facts.ImportFact;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names of a cluster zone ({@code SERVICE.NAMESPACE.svc.ZONE} and below). One thread changes it, service by service; readers see each
 * change whole, by one volatile read at each level, without locks or garbage. A change costs what the service has, not what the cluster has.
 */
public final class ClusterZone {
    private final ZoneOptions options;
    private final int zoneLabels;
    private final WireName services;
    private final Map<String, NamespaceNames> byNamespace = new HashMap<>();
    private volatile NameMap<NamespaceNames> namespaces = NameMap.copyOf(Map.of());

    /** The services of a namespace, which may be known before it is. */
    private static final class NamespaceNames {
        private final ServiceTable services = new ServiceTable();
        private boolean exists;
    }

    ClusterZone(ZoneOptions options) {
        this.options = options;
        this.zoneLabels = options.zone().labelCount();
        this.services = options.zone().child("svc");
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
        return namespace.services.find(query, relativeLabels(query) - 3);
    }

    // What follows is for the one thread that changes the zone.

    void addNamespace(String name) {
        exists(name, true);
    }

    void removeNamespace(String name) {
        exists(name, false);
    }

    private void exists(String name, boolean now) {
        NamespaceNames names = options.tells(name) ? in(name) : null;
        if (names != null && names.exists != now) {
            names.exists = now;
            publishNamespaces();
        }
    }

    private NamespaceNames in(String namespace) {
        return byNamespace.computeIfAbsent(namespace, _ -> new NamespaceNames());
    }

    private void publishNamespaces() {
        Map<WireName, NamespaceNames> all = new HashMap<>();
        byNamespace.forEach((name, names) -> {
            if (names.exists) {
                all.put(services.child(name), names);
                all.put(options.zone().child(name + ".pod"), names);
            }
        });
        namespaces = NameMap.copyOf(all);
    }

    /** The place of a service, made if there is none yet. */
    ServiceSlot slot(String namespace, String name) {
        return in(namespace).services.slot(owner(namespace, name));
    }

    private WireName owner(String namespace, String name) {
        return services.child(name + "." + namespace);
    }

    /** The names of a service of the cluster itself; null if its name shall not exist now. */
    @Nullable ServiceNames names(WireName owner, ServiceFact service, SliceFact[] slices) {
        return switch (service.kind()) {
            case EXTERNAL_NAME -> external(owner, service.externalName());
            case HEADLESS -> headless(owner, slices);
            case CLUSTER_IP -> virtual(owner, service.clusterIps(), service.ports(), slices);
        };
    }

    /** The names of an imported service. */
    @Nullable ServiceNames names(WireName owner, ImportFact service, SliceFact[] slices) {
        return service.headless() ? headless(owner, slices) : virtual(owner, service.ips(), service.ports(), slices);
    }

    /** A headless service without an endpoint to name does not exist (DNS-based service discovery, section 2.4.1). */
    private @Nullable ServiceNames headless(WireName owner, SliceFact[] slices) {
        ServiceShape shape = new ServiceShape(owner, true, List.of(), List.of(), slices, options.podNames());
        return shape.hasReady() ? new ServiceNames(shape, options.ttl()) : null;
    }

    private @Nullable ServiceNames virtual(WireName owner, List<Address> ips, List<PortFact> ports, SliceFact[] slices) {
        ServiceShape shape = new ServiceShape(owner, false, ips, ports, slices, options.podNames());
        return options.emptyServices() || shape.hasReady() ? new ServiceNames(shape, options.ttl()) : null;
    }

    /** What a transfer tells of a service of the cluster itself. */
    List<RrSet> transferred(ServiceFact service, SliceFact[] slices) {
        WireName owner = owner(service.namespace(), service.name());
        return transferred(owner, names(owner, service, slices), service.externalName());
    }

    /** What a transfer tells of an imported service. */
    List<RrSet> transferred(ImportFact service, SliceFact[] slices) {
        WireName owner = owner(service.namespace(), service.name());
        return transferred(owner, names(owner, service, slices), "");
    }

    private List<RrSet> transferred(WireName owner, @Nullable ServiceNames names, String externalName) {
        if (names == null) {
            return List.of();
        }
        TransferRecords records = new TransferRecords(owner);
        ServiceShape shape = names.shape();
        if (shape == null) {
            records.addAlias(WireName.parse(externalName));
        } else if (shape.headless()) {
            records.addEndpoints(shape);
        } else {
            records.addCluster(shape.ips(), shape.ports());
        }
        return records.sets(options.ttl());
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
}
