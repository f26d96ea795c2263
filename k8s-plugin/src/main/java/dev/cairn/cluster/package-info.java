/**
 * Where cluster facts come from. A {@code ClusterSource} tells a listener what is in a {@code WatchScope}: {@code ManifestSource} reads a
 * cluster from files, {@code ApiSource} from an API server. A source runs its own threads and calls its listener by one of them at a time.
 */
@NullMarked
package dev.cairn.cluster;

import org.jspecify.annotations.NullMarked;
