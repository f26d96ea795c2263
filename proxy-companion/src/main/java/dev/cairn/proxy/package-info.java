/**
 * The {@code cairn-proxy} command. It stands at its place in the layering but has no backend yet: {@code CairnProxy} says so and exits, so
 * that nobody takes it for a working Service proxy.
 */
@NullMarked
package dev.cairn.proxy;

import org.jspecify.annotations.NullMarked;
