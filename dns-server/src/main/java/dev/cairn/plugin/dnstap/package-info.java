/**
 * The {@code dnstap} plugin: tells other programs of every query and reply, in the protocol of dnstap.info. {@code DnstapSetup} reads
 * the directive, {@code DnstapPlugin} makes messages on the threads that answer queries ({@code TapMessage} writes the protocol buffers),
 * and an {@code Outbox} with a thread of its own hands them to a {@code TapSink}, which keeps up a connection ({@code TapLink},
 * Frame Streams). With {@code listen} a {@code TapListener}, of which {@code TapListeners} keeps one an address over reloads, takes
 * connections in by a thread of its own, and each {@code TapCollector} has its outbox. Nothing of this makes a query wait: what finds no
 * room is dropped and counted.
 */
@NullMarked
package dev.cairn.plugin.dnstap;

import org.jspecify.annotations.NullMarked;
