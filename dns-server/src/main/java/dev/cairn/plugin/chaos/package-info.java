/**
 * The {@code chaos} plugin: answers questions of class CH that ask which server this is. {@code ChaosSetup} reads the directive and makes
 * the records, {@code ChaosPlugin} answers with them. Immutable, used by all threads.
 */
@NullMarked
package dev.cairn.plugin.chaos;

import org.jspecify.annotations.NullMarked;
