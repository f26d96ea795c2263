/**
 * The {@code template} plugin: answers made from the question by patterns and templates. {@code TemplateSetup} reads the directive;
 * {@code TemplatePlugin} tries the {@code Template}s in their order. Records are written in the part of Go's template language that
 * {@code GoTemplate} knows, compiled by {@code TemplateCompiler}; {@code RecordLine} turns the text into a record, at set-up if it is always the
 * same. Immutable once the block has started, used by all threads.
 */
@NullMarked
package dev.cairn.plugin.template;

import org.jspecify.annotations.NullMarked;
