package dev.cairn.expression;

import dev.cairn.chain.Exchange;
import org.jspecify.annotations.Nullable;

/** A compiled part of an expression. Values are Boolean, Long, Double, String, List, or null for nil. */
@FunctionalInterface
interface Code {
    @Nullable Object run(Exchange exchange, Frame frame);
}
