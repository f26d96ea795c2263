/**
 * The {@code cairn} command. {@code Cairn} is the entry point and wires everything; each subcommand is a class of its own. What the user
 * typed wrong is answered with one line on standard error and exit code 2, what the system refused with one line and exit code 1.
 */
@NullMarked
package dev.cairn.command;

import org.jspecify.annotations.NullMarked;
