/**
 * The process log: lines to standard output in the form operators of CoreDNS know, {@code [INFO] plugin/reload: text}, or one JSON object a
 * line. {@code Log} is the only type; it is static because a log is one per process. Any thread may write; a line is written whole.
 */
@NullMarked
package dev.cairn.log;

import org.jspecify.annotations.NullMarked;
