package dev.cairn.plugin.kubernetes;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.api.ApiObserver;
import dev.cairn.cluster.api.ApiOptions;
import dev.cairn.cluster.api.ApiSource;
import dev.cairn.cluster.manifest.ManifestOptions;
import dev.cairn.cluster.manifest.ManifestSource;

/** Where the facts come from; equal choices share one store. */
sealed interface SourceChoice {
    /** Files. */
    record Manifests(ManifestOptions options) implements SourceChoice {}

    /** An API server. */
    record Api(ApiOptions options) implements SourceChoice {}

    /** Makes a source that counts nothing. */
    default ClusterSource open(WatchScope scope) {
        return switch (this) {
            case Manifests(ManifestOptions options) -> ManifestSource.of(options, scope);
            case Api(ApiOptions options) -> ApiSource.of(options, scope, ApiObserver.NONE);
        };
    }

    /** Makes the source. */
    default ClusterSource open(WatchScope scope, SourceMetrics metrics) {
        return switch (this) {
            case Manifests(ManifestOptions options) -> metrics.manifests(options, scope);
            case Api(ApiOptions options) -> metrics.api(options, scope);
        };
    }
}
