/**
 * The {@code header} plugin: sets and clears flags of queries and replies. {@code HeaderSetup} reads the rules into two {@code
 * FlagChange}s, {@code HeaderPlugin} applies them on the way down and on the way back. Immutable, used by all threads.
 */
@NullMarked
package dev.cairn.plugin.header;

import org.jspecify.annotations.NullMarked;
