/**
 * The {@code kubernetes} plugin: names of a cluster's services, endpoints and pods. {@code KubernetesSetup} reads the directive, {@code ClusterService} puts a
 * cluster behind the plugin while its configuration is in service,
 * {@code KubernetesPlugin} answers from the zones of a {@code ClusterStore}, and {@code ClusterStores} keeps stores and their sources over
 * reloads, one for all blocks that ask the same; {@code FirstSync} logs what was read. Answering takes no lock and makes no garbage for services, their ports and
 * endpoints, and addresses; names of pods and aliases are made when asked for.
 */
@NullMarked
package dev.cairn.plugin.kubernetes;

import org.jspecify.annotations.NullMarked;
