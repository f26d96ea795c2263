/**
 * The {@code debug} plugin: more to see when something goes wrong. {@code DebugSetup} reads the directive and is all there is: no part of
 * it is in the way of queries. Debug logging is one switch for the process, kept on while any block in service asks for it.
 */
@NullMarked
package dev.cairn.plugin.debug;

import org.jspecify.annotations.NullMarked;
