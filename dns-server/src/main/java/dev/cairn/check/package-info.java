/**
 * Looks at a configuration without running it. {@code Lint} warns of what is legal but surely not meant; {@code CorefileCheck} gathers its
 * warnings and all errors of parsing and set-up. Single-threaded; opens nothing but the files a Corefile names.
 */
@NullMarked
package dev.cairn.check;

import org.jspecify.annotations.NullMarked;
