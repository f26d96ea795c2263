package dev.cairn.cluster.api;

import dev.cairn.cluster.WatchScope;
import dev.cairn.facts.Resource;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A collection on the API server that is to be watched.
 *
 * @param group API group, empty for the core one
 * @param labels label selector, empty for all
 * @param fields field selector, empty for all
 */
record Target(Resource resource, String group, String version, String plural, String labels, String fields) {
    /** Pods in an end state keep their address in the object although another pod may have it by now. */
    private static final String LIVE = "status.phase!=Succeeded,status.phase!=Failed,status.phase!=Unknown";

    static List<Target> of(WatchScope scope) {
        String labels = scope.objects().text();
        List<Target> all = new ArrayList<>();
        if (scope.names()) {
            all.add(new Target(Resource.NAMESPACES, "", "v1", "namespaces", scope.namespaces().text(), ""));
        }
        all.add(new Target(Resource.SERVICES, "", "v1", "services", labels, scope.names() ? "" : "spec.clusterIP!=None"));
        if (scope.slices() || scope.imports()) {
            all.add(new Target(Resource.SLICES, "discovery.k8s.io", "v1", "endpointslices", sliceLabels(scope), ""));
        }
        if (scope.pods()) {
            all.add(new Target(Resource.PODS, "", "v1", "pods", labels, LIVE));
        }
        if (scope.imports()) {
            all.add(new Target(Resource.IMPORTS, "multicluster.x-k8s.io", "v1alpha1", "serviceimports", "", ""));
        }
        if (!scope.node().isEmpty()) {
            all.add(new Target(Resource.NODES, "", "v1", "nodes", "", "metadata.name=" + scope.node()));
        }
        if (scope.traffic()) {
            all.add(new Target(Resource.SERVICE_RANGES, "networking.k8s.io", "v1", "servicecidrs", "", ""));
        }
        return all;
    }

    /** One watch serves own and imported slices. No selector says "these labels, or imported": with both, {@code SliceDecoder} selects. */
    private static String sliceLabels(WatchScope scope) {
        if (!scope.imports()) {
            return scope.objects().text();
        }
        return scope.slices() ? "" : SliceDecoder.IMPORTED_SERVICE;
    }

    /** Path and query up to where options of the request follow. */
    String path() {
        String path = (group.isEmpty() ? "/api/" : "/apis/" + group + "/") + version + "/" + plural + "?";
        return path + parameter("labelSelector", labels) + parameter("fieldSelector", fields);
    }

    /** One parameter of a query, with its separator; nothing if there is no value. */
    static String parameter(String name, String value) {
        return value.isEmpty() ? "" : name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8) + "&";
    }

    /** As RBAC names it: {@code endpointslices.discovery.k8s.io}. */
    String fullName() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
