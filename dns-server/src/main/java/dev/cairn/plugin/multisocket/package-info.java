/**
 * The {@code multisocket} plugin: how many UDP sockets share a server address. {@code MultisocketSetup} reads the directive and tells the
 * block how to listen. Not part of the chain.
 */
@NullMarked
package dev.cairn.plugin.multisocket;

import org.jspecify.annotations.NullMarked;
