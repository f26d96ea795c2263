package dev.cairn.bench;

import dev.cairn.bench.load.Dnsperf;
import dev.cairn.bench.report.Chapter;
import dev.cairn.bench.report.Chart;
import dev.cairn.bench.report.Samples;
import dev.cairn.bench.server.Fleet;
import dev.cairn.bench.server.Processors;
import dev.cairn.bench.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Answers of others, from the cache or forwarded, beside CoreDNS and Unbound with Knot as their upstream. */
final class ResolverPart implements Part {
    static final String CACHED = "cached";
    static final String FORWARDED = "forwarded";

    /** For a load that none of them is at its limits with. */
    private static final int CACHED_RATE = 5000;
    private static final int MISS_RATE = 2000;
    private static final int NAMES = 10_000;
    private static final int MISSES = 100_000;
    /** More than any of them answers in a second, so that warming up does not end before its time. */
    private static final int MISSES_A_SECOND = 50_000;
    /** Each name of a file once, 100 at a time. */
    static final List<String> ONCE = List.of("-c", "4", "-n", "1", "-q", "100");

    private final boolean cached;

    /** @param cached whether all answers come from the cache, or none */
    ResolverPart(boolean cached) {
        this.cached = cached;
    }

    @Override
    public Chapter chapter() {
        String servers = """
                `errors`, `cache 300` with room for 20,000 entries and `forward` to Knot for cairn and CoreDNS; Unbound with one thread, without validation, and the
                same upstream. Servers on one processor, dnsperf and the upstream on another.\s""";
        String latency = "latency at a rate that none of them is at its limits with";
        return cached ? new Chapter(CACHED, "Answers from the cache", servers + "10,000 names; " + latency + ": 5,000 queries/s.", Fleet.UNBOUND, List.of(
                        new Chart("cached", "An answer from the cache", "times cairn's", Chart.Kind.RATIOS, List.of(Flood.CPU, Latency.P50, Latency.P99))))
                : new Chapter(FORWARDED, "Forwarded answers", servers + "Names that were never asked for; " + latency + ": 2,000 queries/s.", Fleet.COREDNS, List.of(
                        new Chart("forwarded", "A forwarded answer", "times cairn's", Chart.Kind.RATIOS, List.of(Flood.CPU, Latency.P50, Latency.P99))));
    }

    @Override
    public int seconds(Plan plan) {
        return 10 + (cached ? 3 * NAMES / MISS_RATE : 0) + plan.loadSeconds(3) + plan.latencySeconds(3);
    }

    @Override
    public int services(Plan plan) {
        return 0;
    }

    @Override
    public boolean isLong() {
        return false;
    }

    @Override
    public void measure(Run run, Samples samples) throws IOException, InterruptedException {
        try (Fleet fleet = run.fleet()) {
            ServerProcess upstream = run.upstream(fleet);
            List<ServerProcess> servers = start(run, fleet, upstream);
            if (cached) {
                fromCache(run, samples, upstream, servers);
            } else {
                forwarded(run, samples, servers);
            }
        }
    }

    static List<ServerProcess> start(Run run, Fleet fleet, ServerProcess upstream) throws IOException {
        run.progress().step("starting cairn, CoreDNS and Unbound");
        List<ServerProcess> servers = new ArrayList<>();
        for (String name : List.of(Fleet.CAIRN, Fleet.COREDNS, Fleet.UNBOUND)) {
            servers.add(fleet.resolver(name, Names.CACHED, upstream.port(), Processors.LAST));
        }
        for (ServerProcess server : servers) {
            server.awaitAnswer("a." + Names.UNCACHED);
        }
        return servers;
    }

    /** Each name is asked for once before, at a rate at which none is lost. */
    private static void fromCache(Run run, Samples samples, ServerProcess upstream, List<ServerProcess> servers) throws IOException, InterruptedException {
        Path queries = Names.queries(run.directory("queries"), "c", Names.CACHED, NAMES);
        Turns.run(servers, 1, (server, _) -> {
            run.progress().step("filling the cache of %s, about %d s", server.name(), NAMES / MISS_RATE);
            Dnsperf.run(server.port(), queries, 60, List.of("-n", "1", "-Q", Integer.toString(MISS_RATE))).withoutErrors(server.name());
        });
        long before = upstream.cpuNanos();
        new Flood(run, samples, queries).measure(servers);
        Latency.measure(run, samples, servers, List.of(queries), CACHED_RATE);
        samples.about("upstream", "busy for " + TimeUnit.NANOSECONDS.toMillis(upstream.cpuNanos() - before)
                + " ms meanwhile, which is next to nothing if all came from caches");
    }

    /** Names that were never asked for, so that each is asked of the upstream and kept. */
    private static void forwarded(Run run, Samples samples, List<ServerProcess> servers) throws IOException, InterruptedException {
        Path directory = run.directory("queries");
        List<Path> missed = new ArrayList<>();
        missed.add(Names.queries(directory, "warm", Names.CACHED, MISSES_A_SECOND * run.plan().warmUp()));
        for (int i = 0; i < run.plan().rounds(); i++) {
            missed.add(Names.queries(directory, "m" + i, Names.CACHED, MISSES));
        }
        new Flood(run, samples, "", run.plan().warmUp(), Flood.dnsperf(missed, ONCE, Processors.FIRST)).measure(servers);
        List<Path> fresh = new ArrayList<>();
        for (int i = 0; i < run.plan().latencyRounds(); i++) {
            fresh.add(Names.queries(directory, "f" + i, Names.CACHED, MISS_RATE * (Latency.SECONDS + 1)));
        }
        Latency.measure(run, samples, servers, fresh, MISS_RATE);
    }
}
