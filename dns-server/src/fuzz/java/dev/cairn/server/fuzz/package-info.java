/** The fuzz target over the whole way of a packet: reading, routing, every plugin that answers or changes answers, writing. */
@NullMarked
package dev.cairn.server.fuzz;

import org.jspecify.annotations.NullMarked;
