/**
 * Measurements. {@code Bench} is the command: it measures one {@code Part} after another, each beside its peers and in turn ({@code Turns}), keeps the figures, and
 * has the page of results written from them. {@code Run} is what parts share, {@code Plan} how much they measure, {@code Flood} and {@code Latency} are the
 * two ways to load DNS servers. {@code Aims} and {@code Outlook} say what the figures mean. {@code WireBenchmark} times parsing, lookup and answering with JMH.
 */
@NullMarked
package dev.cairn.bench;

import org.jspecify.annotations.NullMarked;
