/**
 * What servers are loaded with: {@code Dnsperf} and {@code SteadyLoad} ask, {@code BigCluster} writes the objects of a large cluster, {@code Changes} changes them
 * and sees when the answer changes, {@code Relay} knows when an event was sent, and {@code Traffic} connects to services through a proxy.
 */
@NullMarked
package dev.cairn.bench.load;

import org.jspecify.annotations.NullMarked;
