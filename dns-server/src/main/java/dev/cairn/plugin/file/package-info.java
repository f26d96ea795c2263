/**
 * {@code file}: serves zones from master files. {@code FileSetup} reads the directive, {@code FilePlugin} finds the zone of a question and
 * answers from its latest state, without garbage. The files are read at start and, when their serial has changed, again on threads of their
 * own (see {@code dev.cairn.authority}).
 */
@NullMarked
package dev.cairn.plugin.file;

import org.jspecify.annotations.NullMarked;
