/** Tests of what a control plane makes of manifests. */
@NullMarked
package dev.cairn.cluster.control;

import org.jspecify.annotations.NullMarked;
