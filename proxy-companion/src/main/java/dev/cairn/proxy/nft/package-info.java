/**
 * The nftables backend. Few chains that never change and maps that all services share, instead of chains for each service: a load grows with
 * the number of services and not with its square, and a change touches the elements that changed. {@code StaticRules} has what is the same
 * for all, {@code BalanceChains} one chain for each number of endpoints, {@code ServiceElements} the elements of a service; {@code Edits}
 * is the difference, {@code NftBackend} applies it in a transaction and remembers what is committed. Used by one thread.
 */
@NullMarked
package dev.cairn.proxy.nft;

import org.jspecify.annotations.NullMarked;
