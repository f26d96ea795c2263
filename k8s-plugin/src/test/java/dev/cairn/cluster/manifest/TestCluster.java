package dev.cairn.cluster.manifest;

import dev.cairn.cluster.LabelSelector;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.control.AddressRange;
import dev.cairn.cluster.control.Allocations;
import dev.cairn.cluster.control.ControlOptions;
import dev.cairn.cluster.control.ControlPlane;
import dev.cairn.cluster.control.Problem;
import dev.cairn.facts.Fact;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import java.util.ArrayList;
import java.util.List;

/** A cluster made of manifests in a string, with no files. */
public record TestCluster(ControlOptions options, WatchScope scope, List<Problem> readProblems, ControlPlane.Outcome outcome) {
    public static final WatchScope EVERYTHING = new WatchScope(LabelSelector.ALL, LabelSelector.ALL, true, true, true);
    public static final ControlOptions PLAIN = ControlOptions.DEFAULT;

    public static TestCluster of(String yaml) {
        return of(PLAIN, yaml);
    }

    public static TestCluster of(ControlOptions options, String yaml) {
        return of(options, EVERYTHING, yaml, Allocations.NONE);
    }

    public static TestCluster of(ControlOptions options, WatchScope scope, String yaml, Allocations before) {
        ManifestReader.Content content = ManifestReader.read("test.yaml", yaml);
        return new TestCluster(options, scope, content.problems(), new ControlPlane(options, scope).reconcile(content.objects(), before));
    }

    public static ControlOptions ranges(String... ranges) {
        return PLAIN.withServiceRanges(List.of(ranges).stream().map(AddressRange::parse).toList()).withApiService(false);
    }

    /** The same cluster after its manifests became others. */
    public TestCluster then(String yaml) {
        return of(options, scope, yaml, outcome.allocations());
    }

    public <T extends Fact> List<T> facts(Class<T> type) {
        return outcome.facts().stream().filter(type::isInstance).map(type::cast).toList();
    }

    public List<String> names(Class<? extends Fact> type) {
        return facts(type).stream().map(fact -> fact.namespace() + "/" + fact.name()).toList();
    }

    public ServiceFact service(String name) {
        return facts(ServiceFact.class).stream().filter(fact -> fact.name().equals(name)).findFirst().orElseThrow();
    }

    /** Cluster IPs as text. */
    public List<String> ips(String name) {
        return service(name).clusterIps().stream().map(Object::toString).toList();
    }

    public List<SliceFact> slices(String service) {
        return facts(SliceFact.class).stream().filter(slice -> slice.service().equals(service)).toList();
    }

    /** Endpoints of a service as {@code address[!][/hostname]}, ! for not ready. */
    public List<String> endpoints(String service) {
        return slices(service).stream()
                .flatMap(slice -> slice.endpoints().stream())
                .map(e -> e.address() + (e.ready() ? "" : "!") + (e.hostname().isEmpty() ? "" : "/" + e.hostname()))
                .toList();
    }

    public List<String> problems() {
        List<String> all = new ArrayList<>();
        readProblems.forEach(problem -> all.add(problem.toString()));
        outcome.problems().forEach(problem -> all.add(problem.toString()));
        return all;
    }

    /** A service in namespace default; the rest is what its spec holds, in flow style. */
    public static String service(String name, String spec) {
        return "---\napiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\nspec: {" + spec + "}\n";
    }

    /** A pod in namespace default. */
    public static String pod(String name, String metadata, String spec, String status) {
        return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", " + metadata + "}\nspec: {" + spec + "}\nstatus: {" + status
                + "}\n";
    }
}
