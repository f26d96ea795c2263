/**
 * What the tests of this module share: {@code TestServer} runs a Corefile on ports the kernel chooses and asks it over real sockets with
 * dnsjava, so that expectations are checked by a parser that is not ours; {@code TestChain} runs one block without sockets, with plugins
 * made for a test.
 */
@NullMarked
package dev.cairn.testing;

import org.jspecify.annotations.NullMarked;
