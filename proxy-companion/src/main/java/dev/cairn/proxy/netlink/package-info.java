/**
 * Talks to the kernel by netlink, through {@code java.lang.foreign} and without any tool. {@code NetlinkSocket} sends requests and waits for
 * their answers, {@code Message} is a request in the making, {@code Attribute} a part of an answer, {@code GenericFamily} finds the number of a
 * family of generic netlink. A socket belongs to the network namespace of the thread that opened it, and is used by one thread at a time.
 */
@NullMarked
package dev.cairn.proxy.netlink;

import org.jspecify.annotations.NullMarked;
