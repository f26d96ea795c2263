/**
 * The Corefile language: text in, server blocks out, and every mistake as a {@link dev.cairn.corefile.Problem} with its file and line.
 * {@link dev.cairn.corefile.CorefileParser} splits the text into tokens, replaces variables, pastes imports and groups the rest into
 * {@link dev.cairn.corefile.ServerBlock}s of {@link dev.cairn.corefile.Directive}s; it goes on after a mistake, so that one run
 * shows them all.
 * {@link dev.cairn.corefile.ZoneKeys} reads the keys of server blocks and the zone arguments of plugins.
 * {@link dev.cairn.corefile.Use} is what a plugin's setup sees of its directive: typed arguments with a fallback for each mistake.
 * What a directive means, and whether it exists, is the business of the plugins.
 * All values are immutable; {@link dev.cairn.corefile.Problems} is filled by one thread.
 */
@NullMarked
package dev.cairn.corefile;

import org.jspecify.annotations.NullMarked;
