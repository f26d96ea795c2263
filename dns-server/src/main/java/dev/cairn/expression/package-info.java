/**
 * The expressions of {@code view} and {@code template}: the part of expr-lang that Corefiles use, compiled once and run for each query.
 * {@code Expression} is what plugins see; {@code Tokens} and {@code Compiler} read the text and check its types, {@code QueryWords} and
 * {@code Builtins} are the functions there are, {@code Frame} holds what belongs to one evaluation. Compiled expressions are immutable once
 * the block has started and used by all threads.
 */
@NullMarked
package dev.cairn.expression;

import org.jspecify.annotations.NullMarked;
