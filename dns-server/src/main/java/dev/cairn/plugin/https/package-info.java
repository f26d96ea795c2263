/**
 * The {@code https} plugin: limits of a server for DNS over HTTPS. {@code HttpsSetup} reads the directive and tells the block how to
 * listen. Not part of the chain.
 */
@NullMarked
package dev.cairn.plugin.https;

import org.jspecify.annotations.NullMarked;
