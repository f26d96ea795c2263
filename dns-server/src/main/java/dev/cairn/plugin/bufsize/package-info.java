/**
 * The {@code bufsize} plugin: limits the size of UDP replies below what clients say they take, to avoid fragments. {@code BufsizeSetup}
 * reads the directive, {@code BufsizePlugin} lowers the size in the query. Immutable, used by all threads.
 */
@NullMarked
package dev.cairn.plugin.bufsize;

import org.jspecify.annotations.NullMarked;
