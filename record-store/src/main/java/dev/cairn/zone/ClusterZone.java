package dev.cairn.zone;

import dev.cairn.facts.Address;
import dev.cairn.facts.ImportFact;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import dev.cairn.zone.NamespaceTable.Namespace;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The names of a cluster zone ({@code SERVICE.NAMESPACE.svc.ZONE} and below). One thread changes it, service by service; readers see each
 * change whole, by one volatile read at each level, without locks or garbage. A change costs what the service has, not what the cluster has.
 */
public final class ClusterZone {
    private final ZoneOptions options;
    private final int zoneLabels;
    private final String suffix;
    private final NamespaceTable namespaces = new NamespaceTable();

    ClusterZone(ZoneOptions options) {
        this.options = options;
        this.zoneLabels = options.zone().labelCount();
        this.suffix = "." + options.zone().child("svc");
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

    private @Nullable Namespace namespaceOf(QueryView query) {
        Namespace known = namespaces.find(query, relativeLabels(query) - 2);
        return known == null || !known.exists() ? null : known;
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
        Namespace namespace = namespaceOf(query);
        ServiceTable services = namespace == null ? null : namespace.services();
        return services == null ? null : services.find(query, relativeLabels(query) - 3);
    }

    /** Whether the question's service is headless, so that its endpoints have zonal names. */
    public boolean hasZonal(QueryView query) {
        ServiceNames names = service(query);
        return names != null && names.isHeadless();
    }

    /** The names that a service has now. */
    @Nullable ServiceNames service(String namespace, String name) {
        Namespace known = namespaces.get(namespace);
        ServiceTable services = known == null ? null : known.services();
        WireName owner = services == null ? null : owner(namespace, name);
        return services == null || owner == null ? null : services.find(owner);
    }

    // What follows is for the one thread that changes the zone.

    void addNamespace(String name) {
        Namespace known = options.tells(name) ? namespaces.made(name) : null;
        if (known != null) {
            known.exists(true);
        }
    }

    void removeNamespace(String name) {
        Namespace known = namespaces.get(name);
        if (known != null) {
            known.exists(false);
        }
    }

    /** Tells that nothing is left of a namespace. */
    void forgetNamespace(String name) {
        namespaces.forget(name);
    }

    /** How many namespaces are held. */
    int heldNamespaces() {
        return namespaces.size();
    }

    /** The place of a service, made if there is none yet; null if its name cannot be one in DNS. */
    @Nullable ServiceSlot slot(String namespace, String name) {
        WireName owner = owner(namespace, name);
        Namespace known = owner == null ? null : namespaces.made(namespace);
        return owner == null || known == null ? null : known.madeServices().slot(owner);
    }

    /** Kubernetes has no names with capitals, and what bears one must not be taken for the service that is called so without. */
    private @Nullable WireName owner(String namespace, String name) {
        return name.equals(name.toLowerCase(Locale.ROOT)) ? WireName.orNull(name + "." + namespace + suffix) : null;
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
        return owner == null ? List.of() : transferred(owner, names(owner, service, slices), service.externalName());
    }

    /** What a transfer tells of an imported service. */
    List<RrSet> transferred(ImportFact service, SliceFact[] slices) {
        WireName owner = owner(service.namespace(), service.name());
        return owner == null ? List.of() : transferred(owner, names(owner, service, slices), "");
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

    /** An alias; none to something that is an address, which a name cannot stand for, or no name in DNS, which the API server lets pass. */
    private @Nullable ServiceNames external(WireName owner, String target) {
        WireName name = Address.parse(target) == null ? WireName.orNull(target) : null;
        return name == null ? null : new ServiceNames(owner, options.ttl(), name);
    }
}
