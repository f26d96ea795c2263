/** The server against a real API server. One cluster serves all tests, each in namespaces of its own. */
@NullMarked
package dev.cairn.e2e;

import org.jspecify.annotations.NullMarked;
