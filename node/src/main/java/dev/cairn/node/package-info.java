/**
 * The {@code cairn-node} command: names and Services of a node from one process, one set of watches and one copy of the facts. {@code CairnNode} puts
 * together what the DNS server and the proxy are made of; neither knows of the other, and what goes wrong in one is no end of the other.
 */
@NullMarked
package dev.cairn.node;

import org.jspecify.annotations.NullMarked;
