package dev.cairn.cluster.control;

import dev.cairn.cluster.control.ClusterObject.FamilyPolicy;
import dev.cairn.cluster.control.ClusterObject.ServiceObject;
import dev.cairn.facts.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Which families a service has, and which addresses it chose for the first of them (as kubernetes.io, "IPv4/IPv6 dual-stack", tells).
 *
 * @param chosen at most as many as families, in the same order
 */
record FamilyPlan(List<IpFamily> families, List<Address> chosen) {
    /** Plans for a service that is no external name; {@code available} are the families that the cluster has a range of. */
    static FamilyPlan of(ServiceObject service, List<IpFamily> available, boolean configured) {
        List<Address> chosen = service.isHeadless() ? List.of() : chosen(service);
        List<IpFamily> families = new ArrayList<>(service.families());
        for (int i = 0; i < chosen.size(); i++) {
            IpFamily family = IpFamily.of(chosen.get(i));
            if (i == families.size()) {
                families.add(family);
            } else if (families.get(i) != family) {
                throw fault("clusterIPs[" + i + "]", chosen.get(i),
                        "expected an " + families.get(i) + " value as indicated by `ipFamilies[" + i + "]`");
            }
        }
        if (families.size() > Set.copyOf(families).size()) {
            throw new Refusal("spec.clusterIPs: Invalid value: " + service.clusterIps()
                    + ": may specify no more than one IP for each IP family");
        }
        if (service.isHeadless() && families.isEmpty() && service.policy() == null && !configured) {
            // Nobody said what families there are: what addresses the pods have tells.
            return new FamilyPlan(List.of(IpFamily.values()), List.of());
        }
        if (families.isEmpty()) {
            families.add(available.getFirst());
        }
        addSecond(service, families, available);
        checkAvailable(service, families, chosen.size(), available, configured);
        return new FamilyPlan(List.copyOf(families), chosen);
    }

    private static List<Address> chosen(ServiceObject service) {
        List<Address> chosen = new ArrayList<>();
        for (String text : service.clusterIps()) {
            Address address = Address.parse(text);
            if (address == null) {
                throw fault("clusterIPs[" + chosen.size() + "]", text, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
            }
            chosen.add(address);
        }
        return chosen;
    }

    private static void addSecond(ServiceObject service, List<IpFamily> families, List<IpFamily> available) {
        if (families.size() > 1 || service.policy() == null || service.policy() == FamilyPolicy.SINGLE) {
            return;
        }
        IpFamily second = families.getFirst().other();
        if (available.contains(second)) {
            families.add(second);
        } else if (service.policy() == FamilyPolicy.REQUIRE_DUAL) {
            throw fault("ipFamilyPolicy", "RequireDualStack", "this cluster is not configured for dual-stack services");
        }
    }

    /** A family without a range is no fault where addresses need none: chosen ones while no range is configured. */
    private static void checkAvailable(
            ServiceObject service, List<IpFamily> families, int chosen, List<IpFamily> available, boolean configured) {
        for (int i = families.size() - 1; i >= 0; i--) {
            if (available.contains(families.get(i)) || (i < chosen && !configured)) {
                continue;
            }
            if (i == 1 && service.policy() == FamilyPolicy.PREFER_DUAL && chosen < 2) {
                families.remove(i);
            } else {
                throw fault("ipFamilies[" + i + "]", families.get(i), "not configured on this cluster");
            }
        }
    }

    static Refusal fault(String field, Object value, String message) {
        return new Refusal("spec." + field + ": Invalid value: \"" + value + "\": " + message);
    }
}
