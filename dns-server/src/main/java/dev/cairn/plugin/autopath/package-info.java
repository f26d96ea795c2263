/**
 * The {@code autopath} plugin: walks a client's search path for it, so that it has its answer after one question. {@code AutopathSetup} reads
 * the directive; {@code AutopathPlugin} looks at answers that say that a name does not exist and asks the plugins below for the other names of
 * the path. Where the path comes from is a file, or a plugin that implements {@code dev.cairn.plugin.SearchPaths}. Used by all threads;
 * only negative answers cost more than a look at their code.
 */
@NullMarked
package dev.cairn.plugin.autopath;

import org.jspecify.annotations.NullMarked;
