/**
 * The {@code minimal} plugin: leaves out of a reply what the client did not ask for. {@code MinimalSetup} reads the directive,
 * {@code MinimalPlugin} changes answers on their way back. Stateless, used by all threads.
 */
@NullMarked
package dev.cairn.plugin.minimal;

import org.jspecify.annotations.NullMarked;
