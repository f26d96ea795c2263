/**
 * The {@code any} plugin: gives questions for ANY a short reply. {@code AnySetup} reads the directive, {@code AnyPlugin} answers.
 * Stateless, used by all threads.
 */
@NullMarked
package dev.cairn.plugin.any;

import org.jspecify.annotations.NullMarked;
