/**
 * The nftables backend. Few chains that never change and maps that all services share, instead of chains for each service: a load grows with
 * the number of services and not with its square, and a change touches the elements that changed. {@code StaticRules} has what is the same
 * for all, {@code BalanceChains} one chain for each number of endpoints, {@code ServiceElements} the elements of a service; {@code Edits}
 * is the difference, {@code NftBackend} applies it and remembers what is committed. Rules are text for {@code NftRunner}; elements, which are many,
 * are {@code Packed} as the kernel has them and go by {@code NftElements}, with {@code ElementText} for people. Used by one thread.
 */
@NullMarked
package dev.cairn.proxy.nft;

import org.jspecify.annotations.NullMarked;
