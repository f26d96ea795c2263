/**
 * The {@code trace} plugin: sends a span for each query, or for some of them, to Zipkin or to a collector of OpenTelemetry. {@code TraceSetup}
 * reads the directive, {@code TracePlugin} makes a {@code Span} when a reply is made, {@code ZipkinFormat} and {@code OtlpFormat} write spans as
 * JSON, and {@code SpanSender} posts them in batches from a thread of its own ({@code Outbox}). Queries never wait for that: spans that find
 * no room are dropped and counted.
 */
@NullMarked
package dev.cairn.plugin.trace;

import org.jspecify.annotations.NullMarked;
