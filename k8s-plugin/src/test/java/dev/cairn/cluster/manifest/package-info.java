/** Tests of clusters that are read from manifests. */
@NullMarked
package dev.cairn.cluster.manifest;

import org.jspecify.annotations.NullMarked;
