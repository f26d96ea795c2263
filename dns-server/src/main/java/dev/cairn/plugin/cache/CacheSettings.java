package dev.cairn.plugin.cache;

import dev.cairn.wire.WireName;
import java.util.List;

/**
 * What the directive says.
 *
 * @param zonesLabel the zones as metrics name them
 * @param failureNanos how long a failure is kept; 0 for not at all
 * @param keepTtl whether clients see the TTL an answer was stored with, not what is left of it
 */
record CacheSettings(
        List<WireName> zones,
        String zonesLabel,
        Share success,
        Share denial,
        long failureNanos,
        Prefetch prefetch,
        Stale stale,
        boolean keepTtl) {
    /**
     * One of the two halves of the cache.
     *
     * @param capacity in entries
     * @param minTtl in seconds, as {@code maxTtl}, which wins if it is lower
     * @param except zones whose names are not kept
     */
    record Share(int capacity, int maxTtl, int minTtl, List<WireName> except) {
        int clamp(int ttl) {
            return Math.min(Math.max(ttl, minTtl), maxTtl);
        }
    }

    /**
     * When to ask again before an answer expires.
     *
     * @param amount how many hits make an answer popular; 0 for never
     * @param gapNanos the gap between two hits after which the count begins anew
     * @param percentage how much of the TTL is left then
     */
    record Prefetch(int amount, long gapNanos, int percentage) {
        int threshold(int fullTtl) {
            return (int) Math.ceilDiv((long) fullTtl * percentage, 100);
        }
    }

    /**
     * What to do with answers that have expired.
     *
     * @param upToNanos how long they may be used; 0 for not at all
     * @param verify whether to ask first
     * @param timeoutNanos how long a client waits for that; 0 for as long as it takes
     * @param ttl the TTL they are sent with
     * @param recheckNanos how long to wait after a failure before asking again
     * @param preferPositive whether an old answer is better than a new denial
     */
    record Stale(long upToNanos, boolean verify, long timeoutNanos, int ttl, long recheckNanos, boolean preferPositive) {}
}
