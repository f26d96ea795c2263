package dev.cairn.plugin.trace;

import java.util.List;

/** How spans are written for a collector. Immutable. */
interface SpanFormat {
    /** The body of a request that brings these spans, as JSON. */
    String body(List<Span> spans);
}
