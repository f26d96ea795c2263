/**
 * Which cluster is meant, and who has its facts. {@code ClusterOrigin} says where they come from and opens a source of them;
 * {@code SharedCluster} is for a process that serves both names and traffic, and has one source tell both. Sources run threads of their own.
 */
@NullMarked
package dev.cairn.cluster.origin;

import org.jspecify.annotations.NullMarked;
