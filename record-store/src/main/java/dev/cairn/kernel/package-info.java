/** What is asked of the kernel that the JDK has no words for. */
@NullMarked
package dev.cairn.kernel;

import org.jspecify.annotations.NullMarked;
