/**
 * The process log: lines to standard output in the form operators of CoreDNS know, {@code [INFO] plugin/reload: text}, or one JSON object a
 * line. {@code Log} is what others use; it is static because a log is one per process. Any thread may log, and none waits: lines go through a
 * {@code LineQueue} of bounded length, whose thread writes them whole and in order.
 */
@NullMarked
package dev.cairn.log;

import org.jspecify.annotations.NullMarked;
