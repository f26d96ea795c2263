/**
 * The {@code nsid} plugin: names the server in replies to clients that ask for it (RFC 5001). {@code NsidSetup} reads the directive,
 * {@code NsidPlugin} adds the EDNS option. Immutable, used by all threads.
 */
@NullMarked
package dev.cairn.plugin.nsid;

import org.jspecify.annotations.NullMarked;
