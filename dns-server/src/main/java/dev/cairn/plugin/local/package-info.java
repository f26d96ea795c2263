/**
 * The {@code local} plugin: answers for {@code localhost} and the reverse zones of this host, so that such questions go no further.
 * {@code LocalSetup} reads the directive, {@code LocalPlugin} answers from records made in {@code LocalRecords}. Immutable, used by all
 * threads.
 */
@NullMarked
package dev.cairn.plugin.local;

import org.jspecify.annotations.NullMarked;
