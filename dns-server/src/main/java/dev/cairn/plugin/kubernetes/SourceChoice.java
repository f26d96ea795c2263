package dev.cairn.plugin.kubernetes;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.api.ApiOptions;
import dev.cairn.cluster.manifest.ManifestOptions;

/** Where the facts come from; equal choices share one store. */
sealed interface SourceChoice {
    /** Files. */
    record Manifests(ManifestOptions options) implements SourceChoice {}

    /** An API server. */
    record Api(ApiOptions options) implements SourceChoice {}

    /** Makes the source. */
    default ClusterSource open(WatchScope scope, SourceMetrics metrics) {
        return switch (this) {
            case Manifests(ManifestOptions options) -> metrics.manifests(options, scope);
            case Api(ApiOptions options) -> metrics.api(options, scope);
        };
    }
}
