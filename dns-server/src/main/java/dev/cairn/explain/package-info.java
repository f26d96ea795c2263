/**
 * Tells how a name is answered, and why: {@code Explainer} makes an {@code Explanation} of a {@code Question}, which {@code TextReport} and
 * {@code JsonReport} print. The question goes through the real chain of an {@code OfflineServer}, where a {@code Recorder} has probes
 * between the plugins; what the cluster has is gathered in {@code ClusterFacts}, and {@code Reasons} compares the two. Single-threaded but
 * for sources, which tell the facts from threads of their own, and plugins that answer later.
 */
@NullMarked
package dev.cairn.explain;

import org.jspecify.annotations.NullMarked;
