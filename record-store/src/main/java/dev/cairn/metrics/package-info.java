/**
 * Metrics in the Prometheus text format, under the names and shapes that CoreDNS dashboards expect. A {@code MetricRegistry} hands out
 * families ({@code CounterFamily}, {@code GaugeFamily}, {@code HistogramFamily}), a family hands out one child per set of label values, and
 * a child is what code holds on to. Counters and histograms write into cells that belong to the calling thread ({@code Cells}), so an
 * increment shares no cache line, takes no lock and makes no garbage; a scrape adds the cells of all threads up. Families and children may
 * be asked for from any thread, at set-up or when a label value is first seen. Counting threads should be few and long-lived, because each
 * costs an array as long as the registry has cells. {@code ProcessMetrics} adds what the kernel, the JVM and the log know about this
 * process.
 */
@NullMarked
package dev.cairn.metrics;

import org.jspecify.annotations.NullMarked;
