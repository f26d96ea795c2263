/**
 * Evidence for the wire format. {@code Packet} writes queries byte by byte, so that they can be wrong; {@code Reply} has an answer
 * encoded and read back by dnsjava, which is where the expected values come from.
 */
package dev.cairn.wire;
