/**
 * The {@code timeouts} plugin: how long TCP clients may take, and how many queries one connection may send. {@code TimeoutsSetup} reads the
 * directive and tells the block how to listen. Not part of the chain.
 */
@NullMarked
package dev.cairn.plugin.timeouts;

import org.jspecify.annotations.NullMarked;
