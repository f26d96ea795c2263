/**
 * The {@code dns64} plugin: gives IPv6 clients addresses behind NAT64 for names that have IPv4 addresses only. {@code Dns64Setup} reads the
 * directive, {@code Dns64Plugin} asks for the IPv4 addresses, {@code Nat64Prefix} embeds them. Immutable, used by all threads.
 */
@NullMarked
package dev.cairn.plugin.dns64;

import org.jspecify.annotations.NullMarked;
