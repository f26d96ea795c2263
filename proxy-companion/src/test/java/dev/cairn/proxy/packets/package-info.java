/** Machines in network namespaces, and real packets between them: the flows of the conformance file, and what clients see of changes, for any backend. */
package dev.cairn.proxy.packets;
