package dev.cairn.proxy.nft;

/**
 * A rule as the kernel has it.
 *
 * @param comment empty if there is none
 * @param sum of what the kernel made of the rule, which the comment may belie
 */
record NftRule(String comment, long sum) {}
