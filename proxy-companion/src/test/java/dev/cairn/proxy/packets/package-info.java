/** Machines in network namespaces, and the flows of the conformance file as real packets between them, for any backend. */
package dev.cairn.proxy.packets;
