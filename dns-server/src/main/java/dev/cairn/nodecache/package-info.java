/**
 * What makes the server a cache on each node of a cluster, in the place of kubernetes/dns's node-cache. {@code NodeTemplate} makes the Corefile
 * from a template and the ConfigMap of kube-dns, {@code NodeInterface} gives the node the cache's addresses, {@code NodeRules} keeps
 * its packets out of connection tracking, and {@code NodeNetwork} sets both up, looks after them, and takes them away when no other
 * process serves the addresses. The kernel is changed by the commands {@code ip}, {@code iptables} and {@code nft}. Used by one thread at a time.
 */
@NullMarked
package dev.cairn.nodecache;

import org.jspecify.annotations.NullMarked;
