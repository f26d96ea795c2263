/**
 * The server as a whole. {@code PluginList} names all plugins in their order; {@code InstanceBuilder} turns a Corefile into an
 * {@code Instance}, that is routers, hooks and listen addresses; {@code Server} puts instances into service, one replacing the other while
 * the sockets stay, and takes the last one out; {@code Defect} words what should not happen while one is made. Changes of configuration run under one lock, off the paths that answer queries.
 */
@NullMarked
package dev.cairn.server;

import org.jspecify.annotations.NullMarked;
