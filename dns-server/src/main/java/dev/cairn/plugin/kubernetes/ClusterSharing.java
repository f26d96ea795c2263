package dev.cairn.plugin.kubernetes;

import dev.cairn.cluster.ClusterSource;
import dev.cairn.cluster.WatchScope;
import dev.cairn.cluster.origin.ClusterOrigin;
import dev.cairn.cluster.origin.SharedCluster;
import dev.cairn.log.Log;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Has directives use the source of a cluster that this process watches for traffic, too. What a process that serves but names has shares nothing. */
public final class ClusterSharing {
    static final ClusterSharing NONE = new ClusterSharing(null);

    private static final Log LOG = Log.plugin("kubernetes");

    private final @Nullable SharedCluster cluster;

    public ClusterSharing(@Nullable SharedCluster cluster) {
        this.cluster = cluster;
    }

    /** Opens a source of a cluster, or takes the one that there is. */
    ClusterSource open(ClusterOrigin origin, WatchScope scope, BiFunction<ClusterOrigin, WatchScope, ClusterSource> open) {
        if (cluster == null) {
            return open.apply(origin, scope);
        }
        ClusterSource shared = cluster.names(origin, scope, open);
        if (shared != null) {
            return shared;
        }
        LOG.info("watches by itself and not with the proxy, as for another cluster, with labels or noendpoints, or after a change by a reload");
        return open.apply(cluster.meant(origin), scope);
    }
}
