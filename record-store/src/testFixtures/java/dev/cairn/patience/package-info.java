/** What the tests of all modules share: {@link dev.cairn.patience.Patience}, the time they wait. */
@NullMarked
package dev.cairn.patience;

import org.jspecify.annotations.NullMarked;
