/**
 * {@code auto}: serves the zones whose files are in a directory. {@code AutoDirectory} finds the files, on a thread of its own, and
 * publishes the zones there are; {@code AutoPlugin} answers from them. Each zone is kept as its file says by {@code dev.cairn.authority}.
 */
@NullMarked
package dev.cairn.plugin.auto;

import org.jspecify.annotations.NullMarked;
