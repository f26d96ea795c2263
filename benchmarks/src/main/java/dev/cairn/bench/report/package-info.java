/**
 * What was measured, and how it is shown. {@code Samples} collects the values of one part of the run, {@code Section} keeps what is to be remembered of them,
 * {@code Figures} keeps all sections in a file of tab-separated lines, so that a part measured again replaces only its own. {@code Results} writes
 * everything that is shown from that file: a page of Markdown and plots in SVG ({@code BarChart}, {@code LineChart}). Nothing here measures or
 * starts anything. For use by one thread.
 */
@NullMarked
package dev.cairn.bench.report;

import org.jspecify.annotations.NullMarked;
