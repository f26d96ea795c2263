/**
 * Where cluster facts come from. The module stands at its place in the layering, between {@code record-store} and the two servers;
 * the sources themselves (API server watches, manifest directories) are not written yet.
 */
@NullMarked
package dev.cairn.cluster;

import org.jspecify.annotations.NullMarked;
