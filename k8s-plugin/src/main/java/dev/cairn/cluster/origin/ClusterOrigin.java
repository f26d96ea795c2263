package dev.cairn.cluster.origin;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.api.ApiObserver;
import dev.cairn.cluster.api.ApiOptions;
import dev.cairn.cluster.api.ApiSource;
import dev.cairn.cluster.manifest.ManifestOptions;
import dev.cairn.cluster.manifest.ManifestSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where the facts come from; equal ones are the same cluster. */
public sealed interface ClusterOrigin {
    /** Files. */
    record Manifests(ManifestOptions options) implements ClusterOrigin {
        @Override
        public ClusterSource open(WatchScope scope, ApiObserver observer) {
            return ManifestSource.of(options, scope);
        }
    }

    /** An API server. */
    record Api(ApiOptions options) implements ClusterOrigin {
        /** Written out, as is that of the options, for the sake of a start, which keys a map by it. */
        @Override
        public int hashCode() {
            return options.hashCode();
        }

        @Override
        public ClusterSource open(WatchScope scope, ApiObserver observer) {
            return ApiSource.of(options, scope, observer);
        }
    }

    /** Makes a source that is yet to be started. */
    ClusterSource open(WatchScope scope, ApiObserver observer);

    /**
     * This and what others say of the same cluster: who does not say where it is means this one; limits of requests and ranges are theirs. Null if they
     * mean another.
     */
    default @Nullable ClusterOrigin and(ClusterOrigin other) {
        if (other instanceof Api(ApiOptions theirs) && theirs.endpoint() == null && theirs.kubeconfig() == null) {
            return this instanceof Api(ApiOptions ours) ? new Api(ours.withLimits(theirs.qps(), theirs.burst(), theirs.maxInflight())) : this;
        }
        if (this instanceof Api(ApiOptions ours) && other instanceof Api(ApiOptions theirs)) {
            boolean same = Objects.equals(ours.endpoint(), theirs.endpoint()) && Objects.equals(ours.tls(), theirs.tls())
                    && Objects.equals(ours.context(), theirs.context()) && absolute(ours.kubeconfig()).equals(absolute(theirs.kubeconfig()));
            return same ? other : null;
        }
        if (this instanceof Manifests(ManifestOptions ours) && other instanceof Manifests(ManifestOptions theirs)) {
            boolean same = absolute(ours.paths()).equals(absolute(theirs.paths()));
            return same ? new Manifests(new ManifestOptions(theirs.paths(), theirs.control().withNodePorts(ours.control().nodePorts()))) : null;
        }
        return null;
    }

    private static List<Path> absolute(@Nullable Path path) {
        return path == null ? List.of() : absolute(List.of(path));
    }

    private static List<Path> absolute(List<Path> paths) {
        return paths.stream().map(path -> path.toAbsolutePath().normalize()).toList();
    }
}
