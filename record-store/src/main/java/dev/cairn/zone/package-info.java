/**
 * Names to what stands behind them. {@code NameMap} is an immutable hash table keyed by wire names that is read straight from a query's
 * bytes. Built by one thread, published once, read by all without locks or garbage.
 */
@NullMarked
package dev.cairn.zone;

import org.jspecify.annotations.NullMarked;
