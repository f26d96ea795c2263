package dev.cairn.chain;

import dev.cairn.wire.WireName;

/**
 * A zone on a server, and the chain that answers for it.
 *
 * @param server the server's address as metrics and logs name it, {@code dns://:53}
 * @param view the name of the view the block is for, empty if it is for all
 * @param id counts the routes of an instance from 0, so that plugins may keep what belongs to a route in an array
 * @param stackTraces whether a defect met on this route is logged with its stack trace
 */
public record Route(String server, WireName zone, String view, int id, boolean stackTraces, Chain chain) {}
