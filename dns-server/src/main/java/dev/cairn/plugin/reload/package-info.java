/**
 * The {@code reload} plugin: puts a changed Corefile into service. {@code ReloadSetup} reads the directive, {@code ReloadWatcher} looks at
 * the file at intervals, one for all blocks that ask for it, from the start of an instance to its stop. It runs on a thread of its
 * own, because a reload may take seconds. Not part of the chain.
 */
@NullMarked
package dev.cairn.plugin.reload;

import org.jspecify.annotations.NullMarked;
