/**
 * The {@code ready} plugin: an HTTP endpoint that says OK once all plugins that need time to start are done, and else names those that are
 * not. {@code ReadySetup} reads the directive; a {@code ReadyEndpoint} stands for one address and looks at all blocks that name it;
 * {@code ReadyEndpoints} are those of one configuration. Set up by one thread, asked by many. Not part of the chain.
 */
@NullMarked
package dev.cairn.plugin.ready;

import org.jspecify.annotations.NullMarked;
