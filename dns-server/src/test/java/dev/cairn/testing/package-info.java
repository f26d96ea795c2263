/**
 * What the tests of this module share: {@code TestServer} runs a Corefile on ports the kernel chooses and asks it over real sockets with
 * dnsjava, so that expectations are checked by a parser that is not ours.
 */
@NullMarked
package dev.cairn.testing;

import org.jspecify.annotations.NullMarked;
