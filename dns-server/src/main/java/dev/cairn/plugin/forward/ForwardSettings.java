package dev.cairn.plugin.forward;

import dev.cairn.upstream.HealthSettings;
import dev.cairn.upstream.UpstreamSettings;
import dev.cairn.wire.WireName;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * One use of {@code forward}.
 *
 * @param from the zone whose queries are forwarded
 * @param except zones in it whose queries are not
 * @param maxFails how many health checks may fail before an upstream is down; 0 for no checks
 * @param maxAttempts how often upstreams are asked in vain for one query, 0 for any number, -1 for twice each
 * @param hedge whether another upstream is asked, too, when the first is late
 * @param maxConcurrent how many queries may wait for upstreams at once
 * @param next codes that send a query on to the next {@code forward} of the block
 * @param nextOnNodata whether an empty answer does so too
 * @param hasNext whether there is a next one
 * @param failover codes that send a query on to the next upstream
 * @param failFast whether queries fail at once when all upstreams are down
 * @param tls files: none, those to trust, or certificate and key, or all three
 * @param resolvers where to look up names of upstreams, empty for the system's way
 */
record ForwardSettings(
        WireName from,
        List<WireName> except,
        List<Destination> to,
        Protocols protocols,
        int maxFails,
        int maxAttempts,
        Policy policy,
        boolean hedge,
        int maxConcurrent,
        Set<Integer> next,
        boolean nextOnNodata,
        boolean hasNext,
        Set<Integer> failover,
        boolean failFast,
        List<Path> tls,
        String serverName,
        List<Destination> resolvers,
        UpstreamSettings upstreams,
        HealthSettings health) {
    /** Which protocol plain upstreams are asked by: what the client used, or always one. */
    enum Protocols {
        LIKE_CLIENT,
        TCP,
        UDP
    }

    /** Which upstream is asked first. */
    enum Policy {
        RANDOM,
        ROUND_ROBIN,
        SEQUENTIAL,
        LATENCY
    }
}
