/**
 * The {@code bind} plugin: the addresses a server block listens on. {@code BindSetup} reads the directive and tells the block;
 * {@code Interfaces} finds the addresses of network interfaces, as they are when the configuration is read. Not part of the chain.
 */
@NullMarked
package dev.cairn.plugin.bind;

import org.jspecify.annotations.NullMarked;
