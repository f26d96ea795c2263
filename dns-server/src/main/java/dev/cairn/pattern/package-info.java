/**
 * Regular expressions over names, written as Go writes them. {@code GoPattern} turns Go's syntax into Java's and bounds what a match may
 * cost, since Java's engine tries alternatives one after the other where Go's follows all at once; {@code NameText} is the text of a
 * question's name without garbage. Patterns are immutable and shared by all threads; a match belongs to the thread that asked for it.
 */
@NullMarked
package dev.cairn.pattern;

import org.jspecify.annotations.NullMarked;
