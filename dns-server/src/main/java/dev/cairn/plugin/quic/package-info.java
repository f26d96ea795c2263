/**
 * The {@code quic} plugin: limits of a server for DNS over QUIC. {@code QuicSetup} reads the directive and tells the block how to listen.
 * Not part of the chain.
 */
@NullMarked
package dev.cairn.plugin.quic;

import org.jspecify.annotations.NullMarked;
