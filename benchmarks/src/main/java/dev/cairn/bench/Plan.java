package dev.cairn.bench;

import java.util.List;

/**
 * How much is measured.
 *
 * @param services of the large cluster
 * @param rounds in which all servers are loaded, in turn
 * @param seconds of a round
 * @param warmUp seconds of load before the first round: what a JVM runs most has been compiled by then, also where a query costs much and so fewer are asked
 * @param latencyRounds rounds of two seconds at a steady rate
 * @param changes events of the cluster for each server
 * @param starts of each server
 * @param idle seconds after which memory is taken to be at rest: what starting needed has been given back by then, which cairn does after twenty seconds, or once it
 *     has nothing to do, if that is later
 * @param sizes services of the clusters of which growth is told
 * @param bare services without endpoints that are added to the last of these
 * @param proxyServices those with a cluster IP that proxies have to program
 */
record Plan(int services, int rounds, int seconds, int warmUp, int latencyRounds, int changes, int starts, int idle, List<Integer> sizes, int bare,
        int proxyServices) {
    static Plan whole() {
        return new Plan(10_000, 3, 4, 15, 6, 1000, 5, 33, List.of(1000, 3000, 10_000, 30_000), 10_000, 9000);
    }

    /** To see that everything works: the figures mean little. */
    static Plan quick() {
        return new Plan(300, 1, 2, 2, 1, 10, 1, 2, List.of(100, 300), 100, 90);
    }

    /** The seconds of load in turn of some servers. */
    int loadSeconds(int servers) {
        return servers * (warmUp + rounds * seconds);
    }

    int latencySeconds(int servers) {
        return servers * latencyRounds * Latency.SECONDS;
    }

    String text() {
        return services + " services, " + rounds + " rounds of " + seconds + " s after " + warmUp + " s of warming up";
    }
}
