/**
 * {@code tsig}: verifies signed requests and signs the replies to them (RFC 8945). {@code TsigPlugin} looks at each query, which costs
 * nothing if it is not signed; {@code TsigSeal} signs the messages of a reply when their bytes are made, on whatever thread that is;
 * {@code KeyFile} reads keys. The digests are dnsjava's.
 */
@NullMarked
package dev.cairn.plugin.tsig;

import org.jspecify.annotations.NullMarked;
