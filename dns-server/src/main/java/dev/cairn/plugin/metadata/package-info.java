/**
 * The {@code metadata} plugin: lets plugins of a block use what others of the block know about a query. {@code MetadataSetup} reads the
 * directive and names the zones to the block, where those who use a label find its source when they start ({@code Block.metadata});
 * {@code MetadataPlugin} only stands in the chain to be seen there. Nothing is collected: a value is made when it is used.
 */
@NullMarked
package dev.cairn.plugin.metadata;

import org.jspecify.annotations.NullMarked;
