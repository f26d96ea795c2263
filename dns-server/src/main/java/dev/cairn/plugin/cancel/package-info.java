/**
 * The {@code cancel} plugin: sets a time by which a client must have its answer. {@code CancelSetup} reads the directive,
 * {@code CancelPlugin} sets the deadline on each exchange; that it is kept is the business of {@code dev.cairn.chain} and of plugins that
 * answer later. Immutable, used by all threads.
 */
@NullMarked
package dev.cairn.plugin.cancel;

import org.jspecify.annotations.NullMarked;
