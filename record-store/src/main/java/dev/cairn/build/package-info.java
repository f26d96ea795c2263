/** What is running: version, commit and platform, as the build wrote them down. */
@NullMarked
package dev.cairn.build;

import org.jspecify.annotations.NullMarked;
