/**
 * The {@code prometheus} plugin: counts queries and replies, and serves all metrics of the process over HTTP. {@code PrometheusSetup} reads
 * the directive, leases {@code /metrics} and tells which plugins run; {@code PrometheusPlugin} counts each finished query;
 * {@code QueryMetrics} names the metrics; {@code RouteCounters} holds what is ready to be counted for one zone of one server. Counting runs
 * on query threads with neither locks nor garbage; what is seen for the first time is published once and found in an array from then on.
 */
@NullMarked
package dev.cairn.plugin.prometheus;

import org.jspecify.annotations.NullMarked;
