/**
 * Pages that are made from the code: flags, manual pages and completions from picocli's model of a command, metrics from what a server tells. Tests of the
 * modules hold that the kept files are what the code says ({@link dev.cairn.manual.Kept}); {@code ./gradlew docs} writes them anew.
 */
@NullMarked
package dev.cairn.manual;

import org.jspecify.annotations.NullMarked;
