/**
 * The {@code log} plugin: a line for each query. {@code LogSetup} reads the directive, {@code LogPlugin} picks the rule for a finished
 * query, {@code LineFormat} turns it into text, {@code ResponseType} tells the kinds of replies apart. Lines are made on query threads
 * and offered to the bounded queue of {@code dev.cairn.log}; what finds no room there is dropped and counted. Everything is immutable but
 * for the labels of other plugins, which are bound before the first query comes.
 */
@NullMarked
package dev.cairn.plugin.log;

import org.jspecify.annotations.NullMarked;
