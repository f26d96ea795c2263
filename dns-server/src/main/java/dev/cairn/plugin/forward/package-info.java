/**
 * The {@code forward} plugin: sends queries on to other servers. {@code ForwardSetup} reads the directive into {@code ForwardSettings} with
 * {@code Destination}s; {@code ForwardPlugin} hands each query that is for it to the {@code Forwarder}, which holds the upstreams while the
 * block is in service; a {@code Call} asks them one after the other, or two at once, until one has answered or time is up. A call runs on
 * the thread of one lane of {@code dev.cairn.upstream}, chosen by the question, so that equal questions meet there and are asked once.
 */
@NullMarked
package dev.cairn.plugin.forward;

import org.jspecify.annotations.NullMarked;
