/**
 * The {@code view} plugin: chooses between server blocks of the same zone by expressions over the query. {@code ViewSetup} reads the directive
 * and gives the block its filter, which the router asks; {@code ViewPlugin} only tells the view's name as metadata. Immutable once the block
 * has started, used by all threads.
 */
@NullMarked
package dev.cairn.plugin.view;

import org.jspecify.annotations.NullMarked;
