/**
 * The {@code errors} plugin: tells the operator why queries failed. {@code ErrorsSetup} reads the directive, {@code ErrorsPlugin} logs
 * what went wrong with a finished query, {@code Consolidation} gathers errors that are alike and logs their number. A query without an
 * error costs one look; those with one may come from any thread, and are offered to the log without waiting.
 */
@NullMarked
package dev.cairn.plugin.errors;

import org.jspecify.annotations.NullMarked;
