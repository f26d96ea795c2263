/**
 * Servers to measure, as processes of their own. {@code ServerProcess} is one with the kernel's account of it, {@code Fleet} starts cairn and CoreDNS with
 * the Corefiles of {@code Corefiles}, and Knot and Unbound beside them, {@code Processors} says where they may run, {@code MemoryGroup} limits
 * their memory, and {@code Halt} has others stand still meanwhile. For use by one thread.
 */
@NullMarked
package dev.cairn.bench.server;

import org.jspecify.annotations.NullMarked;
