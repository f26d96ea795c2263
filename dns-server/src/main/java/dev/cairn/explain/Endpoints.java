package dev.cairn.explain;

import dev.cairn.explain.Finding.Thing;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The endpoints of a service, for telling about them. */
final class Endpoints {
    /** More than these are only counted. */
    private static final int TOLD = 10;

    private final List<SliceFact> slices;
    private final List<EndpointFact> all = new ArrayList<>();
    private final boolean podNames;

    Endpoints(List<SliceFact> slices, boolean podNames) {
        this.slices = slices;
        this.podNames = podNames;
        slices.forEach(slice -> slice.endpoints().forEach(all::add));
    }

    static Endpoints of(ServiceFact service, ClusterFacts facts, boolean podNames) {
        return new Endpoints(facts.slices(service), podNames);
    }

    List<EndpointFact> all() {
        return all;
    }

    long ready() {
        return all.stream().filter(EndpointFact::ready).count();
    }

    /** How many there are and how many are ready, and of those that are not, why. */
    String count() {
        if (all.isEmpty()) {
            return slices.isEmpty()
                    ? "no endpoints: its selector matches no pod that has an address, or no EndpointSlice is labelled with its name"
                    : "no endpoints: its slices are empty";
        }
        String counted = all.size() + (all.size() == 1 ? " endpoint, " : " endpoints, ") + ready() + " ready";
        return ready() == all.size() ? counted : counted + ": " + why();
    }

    private String why() {
        List<EndpointFact> not = all.stream().filter(endpoint -> !endpoint.ready()).toList();
        long leaving = not.stream().filter(EndpointFact::terminating).count();
        String rest = leaving == not.size() ? "" : "failing readiness (publishNotReadyAddresses is not set)";
        String gone = leaving == 0 ? "" : leaving + " terminating";
        return gone.isEmpty() || rest.isEmpty() ? gone + rest : gone + ", others " + rest;
    }

    /** The slices, each with what it holds. */
    List<Thing> things() {
        return slices.stream().map(slice -> new Thing("EndpointSlice", slice.namespace(), slice.name(), detail(slice))).toList();
    }

    private String detail(SliceFact slice) {
        String told = slice.endpoints().stream().limit(TOLD).map(this::detail).collect(Collectors.joining(", "));
        return slice.endpoints().size() > TOLD ? told + " and " + (slice.endpoints().size() - TOLD) + " more" : told;
    }

    private String detail(EndpointFact endpoint) {
        String pod = endpoint.podName().isEmpty() ? "" : " (pod " + endpoint.podName() + ")";
        return endpoint.address() + pod + (endpoint.ready() ? " ready" : endpoint.terminating() ? " terminating" : " not ready");
    }

    String label(EndpointFact endpoint) {
        return endpoint.label(podNames);
    }

    /** The names by which single endpoints are asked for, some of them. */
    String labels() {
        List<String> labels = all.stream().filter(EndpointFact::ready).map(this::label).distinct().toList();
        return String.join(", ", labels.subList(0, Math.min(TOLD, labels.size()))) + (labels.size() > TOLD ? ", ..." : "");
    }
}
