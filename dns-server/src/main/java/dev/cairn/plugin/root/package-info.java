/**
 * The {@code root} plugin: the directory that files named in other directives are relative to. {@code RootSetup} reads the directive and
 * tells the block. Not part of the chain.
 */
@NullMarked
package dev.cairn.plugin.root;

import org.jspecify.annotations.NullMarked;
