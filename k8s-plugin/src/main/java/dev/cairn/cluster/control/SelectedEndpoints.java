package dev.cairn.cluster.control;

import dev.cairn.cluster.control.ClusterObject.ContainerPort;
import dev.cairn.cluster.control.ClusterObject.PodObject;
import dev.cairn.cluster.control.ClusterObject.Port;
import dev.cairn.cluster.control.ClusterObject.ServiceObject;
import dev.cairn.cluster.control.ClusterObject.SliceObject;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.EndpointHints;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.SliceFact;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes slices of the pods that a service selects, by the rules of the endpoint slice controller. */
final class SelectedEndpoints {
    /** How many endpoints a slice holds, as the controller's default has it. */
    private static final int SLICE_SIZE = 100;

    private final Map<String, String> zonesOfNodes;
    private final Map<Label, List<PodObject>> podsByLabel = new HashMap<>();

    private record Label(String namespace, String key, String value) {}

    /** Takes all pods, in the order in which they shall be in slices. */
    SelectedEndpoints(Collection<PodObject> pods, Map<String, String> zonesOfNodes) {
        this.zonesOfNodes = zonesOfNodes;
        for (PodObject pod : pods) {
            pod.meta().labels().forEach((key, value) ->
                    podsByLabel.computeIfAbsent(new Label(pod.meta().namespace(), key, value), _ -> new ArrayList<>()).add(pod));
        }
    }

    /** The slices of a service that has a selector. */
    List<SliceFact> slices(ServiceObject service, List<IpFamily> families) {
        List<PodObject> selected = candidates(service).stream()
                .filter(pod -> !pod.hasEnded() && pod.meta().labels().entrySet().containsAll(service.selector().entrySet()))
                .toList();
        List<SliceFact> slices = new ArrayList<>();
        for (IpFamily family : families) {
            slices.addAll(slices(service, family, selected));
        }
        return slices;
    }

    /** Those with the rarest label of the selector: going through all pods for each service would take too long in large namespaces. */
    private List<PodObject> candidates(ServiceObject service) {
        return service.selector().entrySet().stream()
                .map(label -> new Label(service.meta().namespace(), label.getKey(), label.getValue()))
                .map(label -> podsByLabel.getOrDefault(label, List.of()))
                .min(Comparator.comparingInt(List::size))
                .orElse(List.of());
    }

    /** Pods may have different numbers for a named port, and then are in different slices. */
    private List<SliceFact> slices(ServiceObject service, IpFamily family, List<PodObject> pods) {
        Map<List<PortFact>, List<EndpointFact>> groups = new LinkedHashMap<>();
        for (PodObject pod : pods) {
            for (Address address : pod.addresses()) {
                if (IpFamily.of(address) == family) {
                    groups.computeIfAbsent(ports(service, pod), _ -> new ArrayList<>()).add(endpoint(service, pod, address));
                }
            }
        }
        List<SliceFact> slices = new ArrayList<>();
        groups.forEach((ports, endpoints) -> {
            for (int from = 0; from < endpoints.size(); from += SLICE_SIZE) {
                List<EndpointFact> some = endpoints.subList(from, Math.min(from + SLICE_SIZE, endpoints.size()));
                String name = SliceObject.nameOf(service.meta().name(), family, slices.size() + 1);
                slices.add(new SliceFact(service.meta().namespace(), name, service.meta().name(), "", ports, some, 0));
            }
        });
        return slices;
    }

    private EndpointFact endpoint(ServiceObject service, PodObject pod, Address address) {
        boolean ready = service.publishNotReady() || (pod.ready() && !pod.terminating());
        String hostname = pod.subdomain().equals(service.meta().name()) ? pod.hostname() : "";
        String zone = zonesOfNodes.getOrDefault(pod.nodeName(), "");
        return new EndpointFact(address, ready, hostname, pod.meta().name(), pod.nodeName(), zone, service.publishNotReady() || pod.ready(),
                pod.terminating(), EndpointHints.NONE);
    }

    /** A port whose name the pod does not have is left out for that pod. */
    private static List<PortFact> ports(ServiceObject service, PodObject pod) {
        List<PortFact> ports = new ArrayList<>();
        for (Port port : service.ports()) {
            int number = number(port, pod);
            if (number != 0) {
                ports.add(new PortFact(port.name(), port.protocol(), number));
            }
        }
        return ports;
    }

    private static int number(Port port, PodObject pod) {
        if (Character.isDigit(port.target().charAt(0)) && port.target().chars().allMatch(Character::isDigit)) {
            return Integer.parseInt(port.target());
        }
        return pod.ports().stream()
                .filter(candidate -> candidate.name().equals(port.target()) && candidate.protocol() == port.protocol())
                .mapToInt(ContainerPort::port)
                .findFirst()
                .orElse(0);
    }
}
