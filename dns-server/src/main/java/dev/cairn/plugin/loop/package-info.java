/**
 * The {@code loop} plugin: finds upstreams that send queries back to this server, when the block starts. {@code LoopSetup} reads the
 * directive; {@code LoopProbes} asks each upstream of the block's {@code forward} for a name that nobody else knows; {@code LoopPlugin}
 * waits for these names in the chain. Probes run on the host's scheduler; what the chain looks at is published as a whole and gone when
 * probing is over.
 */
@NullMarked
package dev.cairn.plugin.loop;

import org.jspecify.annotations.NullMarked;
