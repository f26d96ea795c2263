/**
 * The process log of both commands: lines in the form operators of CoreDNS know, {@code [INFO] plugin/reload: text}, or one JSON object a line, to
 * standard output or, where that has other uses, to standard error. {@code Log} is what others use; it is static because a log is one per process.
 * Any thread may log, and none waits: lines go through a {@code LineQueue} of bounded length, whose thread writes them whole and in order.
 * {@code RateLimit} keeps lines few that could come all the time, and {@code NearestWord} guesses what was meant where a word is wrong.
 */
@NullMarked
package dev.cairn.log;

import org.jspecify.annotations.NullMarked;
