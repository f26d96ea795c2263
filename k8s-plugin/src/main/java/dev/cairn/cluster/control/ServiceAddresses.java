package dev.cairn.cluster.control;

import dev.cairn.cluster.control.ClusterObject.Meta;
import dev.cairn.cluster.control.ClusterObject.ServiceObject;
import dev.cairn.cluster.control.ClusterObject.ServiceType;
import dev.cairn.facts.Address;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives services their cluster IPs and load balancers their addresses. What was chosen is claimed first, then everybody who has an address
 * keeps it, then those without get one in the order of their names, so that the result does not depend on files. Used by one thread, once.
 */
final class ServiceAddresses {
    private final List<AddressRange> ranges;
    private final boolean configured;
    private final Map<String, Address> before;
    private final BiConsumer<Meta, String> warnings;
    private final Map<IpFamily, Pool<Address>> pools = new EnumMap<>(IpFamily.class);
    private final Map<Address, Meta> owners = new HashMap<>();
    private final Map<String, Address> given = new HashMap<>();
    private final Map<ServiceObject, FamilyPlan> plans = new LinkedHashMap<>();

    ServiceAddresses(ControlOptions options, Allocations before, BiConsumer<Meta, String> warnings) {
        ranges = options.ranges();
        configured = options.rangesConfigured();
        this.before = before.addresses();
        this.warnings = warnings;
        for (AddressRange range : ranges) {
            pools.put(range.family(), new Pool<>(range.size(), range.band(), range::at));
        }
    }

    /** All that was given. */
    Map<String, Address> given() {
        return given;
    }

    /** What a service has; empty for headless ones. */
    List<Address> of(ServiceObject service) {
        FamilyPlan plan = plans.get(service);
        List<Address> addresses = new ArrayList<>();
        for (IpFamily family : plan == null ? List.<IpFamily>of() : plan.families()) {
            Address address = given.get(Allocations.clusterIp(service.meta(), family));
            if (address != null) {
                addresses.add(address);
            }
        }
        return addresses;
    }

    /** The families of a service; none for an external name. */
    List<IpFamily> families(ServiceObject service) {
        FamilyPlan plan = plans.get(service);
        return plan == null ? List.of() : plan.families();
    }

    /** Gives cluster IPs; gives back, with the reason, the services that are refused. */
    Map<ServiceObject, String> assign(List<ServiceObject> services) {
        Map<ServiceObject, String> refused = new LinkedHashMap<>();
        List<IpFamily> available = ranges.stream().map(AddressRange::family).toList();
        for (ServiceObject service : services) {
            if (service.type() != ServiceType.EXTERNAL_NAME) {
                attempt(service, refused, () -> plans.put(service, FamilyPlan.of(service, available, configured)));
            }
        }
        List<ServiceObject> needy = new ArrayList<>(plans.keySet());
        needy.removeIf(ServiceObject::isHeadless);
        needy.stream().sorted(Comparator.comparing(this::isNewChoice)).forEach(service -> attempt(service, refused, () -> claim(service)));
        needy.removeAll(refused.keySet());
        needy.forEach(this::keep);
        needy.stream().sorted(Comparator.comparing(service -> service.meta().key()))
                .forEach(service -> attempt(service, refused, () -> allocate(service)));
        refused.keySet().forEach(plans::remove);
        return refused;
    }

    private static void attempt(ServiceObject service, Map<ServiceObject, String> refused, Runnable step) {
        try {
            step.run();
        } catch (Refusal e) {
            refused.put(service, String.valueOf(e.getMessage()));
        }
    }

    private FamilyPlan plan(ServiceObject service) {
        FamilyPlan plan = plans.get(service);
        if (plan == null) {
            throw new IllegalStateException(service.meta().key() + " has no plan");
        }
        return plan;
    }

    private Pool<Address> pool(IpFamily family) {
        Pool<Address> pool = pools.get(family);
        if (pool == null) {
            throw FamilyPlan.fault("ipFamilies", family, "not configured on this cluster");
        }
        return pool;
    }

    /** Whoever has its address already comes first, so that a second one who wants it cannot take it away. */
    private boolean isNewChoice(ServiceObject service) {
        FamilyPlan plan = plan(service);
        for (int i = 0; i < plan.chosen().size(); i++) {
            Address had = before.get(Allocations.clusterIp(service.meta(), plan.families().get(i)));
            if (had == null || !had.equals(plan.chosen().get(i))) {
                return true;
            }
        }
        return false;
    }

    private void claim(ServiceObject service) {
        List<Address> chosen = plan(service).chosen();
        for (int i = 0; i < chosen.size(); i++) {
            check(service, i, chosen.get(i));
        }
        for (Address address : chosen) {
            owners.putIfAbsent(address, service.meta());
            Pool<Address> pool = pools.get(IpFamily.of(address));
            if (pool != null) {
                pool.take(address);
            }
            given.put(Allocations.clusterIp(service.meta(), IpFamily.of(address)), address);
        }
    }

    private void check(ServiceObject service, int index, Address address) {
        Meta owner = owners.get(address);
        if (!configured) {
            if (owner != null) {
                warnings.accept(service.meta(), "Service \"" + service.meta().name() + "\" has the cluster IP " + address + ", as "
                        + owner.key() + " at " + owner.origin() + " has");
            }
            return;
        }
        for (AddressRange range : ranges) {
            if (range.family() == IpFamily.of(address) && !range.isAssignable(address)) {
                throw FamilyPlan.fault("clusterIPs[" + index + "]", address,
                        "provided IP is not in the valid range. The range of valid IPs is " + range);
            }
        }
        if (owner != null) {
            throw FamilyPlan.fault("clusterIPs[" + index + "]", address,
                    "provided IP is already allocated, to " + owner.key() + " at " + owner.origin());
        }
    }

    private void keep(ServiceObject service) {
        for (IpFamily family : plan(service).families()) {
            String key = Allocations.clusterIp(service.meta(), family);
            Address had = before.get(key);
            Pool<Address> pool = pools.get(family);
            if (had != null && pool != null && !given.containsKey(key) && isInRange(had) && pool.take(had)) {
                given.put(key, had);
            }
        }
    }

    private boolean isInRange(Address address) {
        return ranges.stream().anyMatch(range -> range.isAssignable(address));
    }

    private void allocate(ServiceObject service) {
        for (IpFamily family : plan(service).families()) {
            String key = Allocations.clusterIp(service.meta(), family);
            if (given.containsKey(key)) {
                continue;
            }
            Address address = pool(family).takeFor(service.meta().key());
            if (address == null) {
                throw new Refusal("failed to allocate a serviceIP: range is full");
            }
            given.put(key, address);
        }
    }

    /** Gives addresses of the pool to load balancers whose manifest tells none; {@code pool} may be null for no pool. */
    void assignLoadBalancers(List<ServiceObject> services, @Nullable AddressRange range) {
        if (range == null) {
            return;
        }
        Pool<Address> pool = new Pool<>(range.wholeSize(), 0, index -> range.at(index - 1));
        services.forEach(service -> service.ingressIps().forEach(pool::take));
        List<ServiceObject> needy = services.stream()
                .filter(service -> service.type() == ServiceType.LOAD_BALANCER)
                .filter(service -> service.ingressIps().isEmpty() && service.ingressHostnames().isEmpty())
                .filter(service -> families(service).contains(range.family()))
                .sorted(Comparator.comparing(service -> service.meta().key()))
                .toList();
        needy.stream().filter(service -> service.loadBalancerIp() != null).forEach(service -> claimLoadBalancer(service, range, pool));
        List<ServiceObject> others = needy.stream().filter(service -> service.loadBalancerIp() == null).toList();
        for (ServiceObject service : others) {
            Address had = before.get(Allocations.loadBalancer(service.meta()));
            if (had != null && range.contains(had) && pool.take(had)) {
                given.put(Allocations.loadBalancer(service.meta()), had);
            }
        }
        for (ServiceObject service : others) {
            String key = Allocations.loadBalancer(service.meta());
            Address address = given.containsKey(key) ? given.get(key) : pool.takeFor(service.meta().key());
            if (address == null) {
                warnings.accept(service.meta(), "Service \"" + service.meta().name() + "\" gets no load balancer: pool " + range
                        + " is full");
            } else {
                given.put(key, address);
            }
        }
    }

    private void claimLoadBalancer(ServiceObject service, AddressRange range, Pool<Address> pool) {
        Address wanted = service.loadBalancerIp();
        if (wanted != null && range.contains(wanted) && pool.take(wanted)) {
            given.put(Allocations.loadBalancer(service.meta()), wanted);
        } else {
            warnings.accept(service.meta(), "Service \"" + service.meta().name() + "\" gets no load balancer: spec.loadBalancerIP " + wanted
                    + " is taken or not in the pool " + range);
        }
    }
}
