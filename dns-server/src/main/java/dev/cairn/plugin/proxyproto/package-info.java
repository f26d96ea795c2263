/**
 * The {@code proxyproto} plugin: takes the addresses of clients from the headers that load balancers put before what they pass on. {@code
 * ProxyprotoSetup} reads the directive and tells the block how to listen; {@code ProxyprotoPlugin} is in the chain only to share the
 * fields of a header as metadata. Both are immutable.
 */
@NullMarked
package dev.cairn.plugin.proxyproto;

import org.jspecify.annotations.NullMarked;
