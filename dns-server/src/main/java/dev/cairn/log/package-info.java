/**
 * The process log: lines to standard output in the form operators of CoreDNS know, {@code [INFO] plugin/reload: text}, or one JSON object a
 * line. {@code Log} is what others use; it is static because a log is one per process. Any thread may write; a line is written whole and
 * after those before it. Threads that answer queries offer their lines to a {@code LineQueue} of bounded length instead of waiting.
 */
@NullMarked
package dev.cairn.log;

import org.jspecify.annotations.NullMarked;
