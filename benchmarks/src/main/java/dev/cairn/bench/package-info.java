/**
 * Measurements. {@code WireBenchmark} times parsing, lookup and answering with JMH; {@code LoadRun} puts real load by dnsperf on cairn and on
 * Knot in turn and compares CPU time per query, which is steadier than queries per second where neighbours share the machine.
 * {@code ClusterRun} does so with a large cluster, {@code ResolverRun} with cached and forwarded answers beside CoreDNS and Unbound;
 * {@code ProxyRun} measures how soon cairn-proxy and kube-proxy program a large cluster and each change of it.
 */
@NullMarked
package dev.cairn.bench;

import org.jspecify.annotations.NullMarked;
