package dev.cairn.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Cached and forwarded answers of cairn, CoreDNS and Unbound with Knot as their upstream: CPU time, latency, the memory of the cache, and
 * the memory while the upstream does not answer. Prints the aims with the figures.
 *
 * <p>Usage: {@code ResolverRun CAIRN [--rounds N] [--seconds N] [--names N] [--part memory|cached|missed|outage|all]}
 */
public final class ResolverRun {
    /** Until native memory has been given back, which cairn does every ten seconds. */
    private static final int IDLE_SECONDS = 12;

    /** For a load that none of them is at its limits with. */
    private static final int CACHED_RATE = 5000;

    private static final int MISS_RATE = 2000;
    private static final int LATENCY_ROUNDS = 11;
    private static final int MISSES = 100_000;
    private static final int WARM_UP_SECONDS = 8;
    private static final double CACHE_MEGABYTES = 10;

    /** Each name of a file once, 100 at a time. */
    private static final List<String> ONCE = List.of("-n", "1", "-q", "100");

    private final Path cairn;
    private final int rounds;
    private final int seconds;
    private final int names;
    private final String part;
    private final Path work;
    private final List<Figures> all = new ArrayList<>();

    /** What was measured of a server; memory in kB. */
    private static final class Figures {
        private final ServerProcess server;
        private final Load cached;
        private final Load missed;
        private long emptyKilobytes;
        private long filledKilobytes;

        Figures(ServerProcess server, Load cached, Load missed) {
            this.server = server;
            this.cached = cached;
            this.missed = missed;
        }

        double cacheMegabytes() {
            return (filledKilobytes - emptyKilobytes) / 1024.0;
        }
    }

    private ResolverRun(List<String> args) throws IOException {
        cairn = Path.of(args.getFirst());
        rounds = Integer.parseInt(LoadRun.option(args, "--rounds", "3"));
        seconds = Integer.parseInt(LoadRun.option(args, "--seconds", "5"));
        names = Integer.parseInt(LoadRun.option(args, "--names", "10000"));
        part = LoadRun.option(args, "--part", "all");
        work = Files.createTempDirectory("cairn-resolver");
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 0) {
            System.err.println("usage: ResolverRun CAIRN [--rounds N] [--seconds N] [--names N] [--part memory|cached|missed|outage|all]");
            System.exit(2);
        }
        new ResolverRun(List.of(args)).run();
    }

    private void run() throws IOException, InterruptedException {
        try (ServerProcess upstream = Knot.start(work, Resolvers.ZONE, Resolvers.RECORDS, ServerProcess.Processor.FIRST)) {
            upstream.awaitAnswer("a." + Resolvers.UNCACHED);
            start(upstream.port());
            for (Figures one : all) {
                one.server.awaitAnswer("a." + Resolvers.UNCACHED);
            }
            if (wanted("memory")) {
                memory();
            }
            if (wanted("cached")) {
                cached(upstream);
            }
            if (wanted("missed")) {
                missed();
            }
            if (wanted("outage")) {
                outage(upstream);
            }
        } finally {
            all.forEach(one -> one.server.close());
            ServerProcess.delete(work);
        }
    }

    private boolean wanted(String name) {
        return part.equals("all") || part.equals(name);
    }

    private void start(int upstream) throws IOException {
        Path cached = queries("cached", "c", Resolvers.CACHED, names);
        List<Path> missed = new ArrayList<>();
        for (int i = 0; i <= rounds; i++) {
            missed.add(queries("missed-" + i, "m" + i, Resolvers.CACHED, MISSES));
        }
        for (ServerProcess server : List.of(Resolvers.cairn(work, cairn, upstream), Resolvers.coredns(work, upstream),
                Resolvers.unbound(work, upstream))) {
            all.add(new Figures(server, new Load(server, cached), new Load(server, missed, ONCE)));
        }
    }

    /** A file of queries for names that begin alike. */
    private Path queries(String file, String prefix, String zone, int count) throws IOException {
        StringBuilder queries = new StringBuilder();
        for (int i = 0; i < count; i++) {
            queries.append(prefix).append("-service-").append(i).append('.').append(zone).append(" A\n");
        }
        return Files.writeString(work.resolve(file), queries);
    }

    /** The memory of entries alone: the servers have already answered many queries when the first is cached. */
    private void memory() throws IOException, InterruptedException {
        Path warm = queries("warm", "w", Resolvers.UNCACHED, MISSES);
        for (Figures one : all) {
            System.out.printf("warming up %s ...%n", one.server.name());
            Dnsperf.run(one.server.port(), warm, WARM_UP_SECONDS, ONCE).withoutErrors(one.server.name());
        }
        TimeUnit.SECONDS.sleep(IDLE_SECONDS);
        for (Figures one : all) {
            one.emptyKilobytes = one.server.residentKilobytes();
        }
        for (Figures one : all) {
            Dnsperf.run(one.server.port(), work.resolve("cached"), 60, List.of("-n", "1", "-Q", Integer.toString(MISS_RATE)))
                    .withoutErrors(one.server.name());
        }
        TimeUnit.SECONDS.sleep(IDLE_SECONDS);
        System.out.printf("%n| memory | RSS without entries | with %d entries | more |%n|---|---|---|---|%n", names);
        for (Figures one : all) {
            one.filledKilobytes = one.server.residentKilobytes();
            System.out.printf(Locale.ROOT, "| %s | %.1f MB | %.1f MB | %.1f MB |%n", one.server.name(), one.emptyKilobytes / 1024.0,
                    one.filledKilobytes / 1024.0, one.cacheMegabytes());
        }
        aim("10,000 entries in at most 10 MB", all.getFirst().cacheMegabytes() * 10_000 / names <= CACHE_MEGABYTES);
    }

    /** The first load, which warms up, fills the caches too. */
    private void cached(ServerProcess upstream) throws IOException, InterruptedException {
        Load.run(all.stream().map(one -> one.cached).toList(), rounds, seconds);
        long before = upstream.cpuNanos();
        List<Path> queries = Collections.nCopies(LATENCY_ROUNDS, work.resolve("cached"));
        List<Latency> latencies = Latency.run(servers(), queries, CACHED_RATE);
        System.out.printf("the upstream was busy for %d ms in the last minute, which is nothing if all came from caches%n",
                TimeUnit.NANOSECONDS.toMillis(upstream.cpuNanos() - before));
        Figures unbound = all.get(2);
        header("cached", "Unbound", CACHED_RATE);
        for (int i = 0; i < all.size(); i++) {
            Figures one = all.get(i);
            System.out.printf("| %s | %s | %s |%n", one.server.name(), one.cached.columns(unbound.cached), latencies.get(i).column());
        }
        aim("a cached answer costs no more than Unbound's", all.getFirst().cached.median() <= unbound.cached.median());
        aim("p99 of cached answers no worse than either's", noWorse(latencies));
    }

    /** Names that were never asked for, so that each is asked of the upstream and kept. */
    private void missed() throws IOException, InterruptedException {
        Load.run(all.stream().map(one -> one.missed).toList(), rounds, seconds);
        List<Path> fresh = new ArrayList<>();
        for (int i = 0; i < LATENCY_ROUNDS; i++) {
            fresh.add(queries("fresh-" + i, "f" + i, Resolvers.CACHED, MISS_RATE * (Latency.SECONDS + 1)));
        }
        List<Latency> latencies = Latency.run(servers(), fresh, MISS_RATE);
        Figures coredns = all.get(1);
        header("forwarded", "CoreDNS", MISS_RATE);
        for (int i = 0; i < all.size(); i++) {
            Figures one = all.get(i);
            System.out.printf("| %s | %s | %s |%n", one.server.name(), one.missed.columns(coredns.missed), latencies.get(i).column());
        }
        aim("a forwarded answer costs at most half of CoreDNS's", all.getFirst().missed.median() <= coredns.missed.median() / 2);
        aim("p99 of forwarded answers no worse than either's", noWorse(latencies));
    }

    private List<ServerProcess> servers() {
        return all.stream().map(one -> one.server).toList();
    }

    private static boolean noWorse(List<Latency> latencies) {
        return latencies.stream().allMatch(other -> latencies.getFirst().median() <= other.median());
    }

    private void outage(ServerProcess upstream) throws IOException, InterruptedException {
        List<Outage> outages = new ArrayList<>();
        for (Figures one : all) {
            outages.add(Outage.run(one.server, upstream, Resolvers.CACHED));
        }
        System.out.printf("%n| outage at %d/s | %s%n|---|---|---|---|---|---|---|---|%n", Outage.RATE, Outage.COLUMNS);
        for (int i = 0; i < all.size(); i++) {
            System.out.printf("| %s | %s%n", all.get(i).server.name(), outages.get(i).columns());
        }
        aim("memory stays flat, within 15 per cent, while the upstream is away", outages.getFirst().flat());
    }

    private static void header(String what, String other, int rate) {
        System.out.printf("%n| %s | CPU us/query, median (min-max) | ratio to %s | queries/s | lost | p99 ms at %d/s, median (min-max) |%n",
                what, other, rate);
        System.out.println("|---|---|---|---|---|---|");
    }

    private static void aim(String aim, boolean met) {
        System.out.printf("aim: %s: %s%n%n", aim, met ? "met" : "MISSED");
    }
}
