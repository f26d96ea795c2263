package dev.cairn.proxy.plan;

import dev.cairn.facts.Address;
import dev.cairn.facts.Protocol;

/**
 * The first packet of a connection.
 *
 * @param device the interface that it comes in by; empty if it does not matter
 */
public record Packet(Address from, Address to, int port, Protocol protocol, String device) {}
