/**
 * The {@code k8s_external} plugin: a zone in which the services of a cluster have the addresses by which they are reached from outside.
 * {@code K8sExternalSetup} reads the directive, {@code K8sExternalPlugin} answers. {@code ExternalIndex} hears of changes from the store that
 * {@code kubernetes} of the same block watches and keeps ready-made records by name, made by {@code ExternalNames} for each service; it is
 * written by one thread at a time and read by all without locks. {@code ExternalZone} is what a zone says of itself.
 */
@NullMarked
package dev.cairn.plugin.k8sexternal;

import org.jspecify.annotations.NullMarked;
