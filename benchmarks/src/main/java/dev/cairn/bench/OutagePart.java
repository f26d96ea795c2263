package dev.cairn.bench;

import dev.cairn.bench.load.Dnsperf;
import dev.cairn.bench.load.SteadyLoad;
import dev.cairn.bench.report.Chapter;
import dev.cairn.bench.report.Chart;
import dev.cairn.bench.report.Samples;
import dev.cairn.bench.server.Fleet;
import dev.cairn.bench.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** The memory of a cache, and of a server whose upstream stands still while clients go on asking for names that are not cached. */
final class OutagePart implements Part {
    static final String NAME = "outage";
    static final String ENTRIES = "10,000 cache entries, MB";
    static final String BEFORE = "before, MB";
    static final String DURING = "most during, MB";
    static final String AFTER = "after, MB";

    private static final int ENTRY_COUNT = 10_000;
    private static final int FILL_RATE = 2000;
    private static final int RATE = 5000;
    private static final int BEFORE_SECONDS = 30;
    private static final int DURING_SECONDS = 20;
    private static final int AFTER_SECONDS = 10;

    @Override
    public Chapter chapter() {
        return new Chapter(NAME, "A cache, and an upstream that stops", """
                The servers of forwarded answers. First the memory that 10,000 entries of the cache take in a server that has answered many queries; Unbound's is too
                low, since it may keep what it was warmed up with. Then the upstream is stopped for 20 s, while 5,000 names a second are asked for that are not cached, 30 s before
                that and 10 s after it, by the benchmark's own load generator.""", "", List.of(
                new Chart("outage", "Memory while the upstream is away", "MB", Chart.Kind.BARS, List.of(BEFORE, DURING, AFTER))));
    }

    @Override
    public int seconds(Plan plan) {
        return 3 * (plan.warmUp() + ENTRY_COUNT / FILL_RATE + BEFORE_SECONDS + DURING_SECONDS + AFTER_SECONDS + 5) + 2 * plan.idle();
    }

    @Override
    public int services(Plan plan) {
        return 0;
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public void measure(Run run, Samples samples) throws IOException, InterruptedException {
        try (Fleet fleet = run.fleet()) {
            ServerProcess upstream = run.upstream(fleet);
            List<ServerProcess> servers = ResolverPart.start(run, fleet, upstream);
            entries(run, samples, servers);
            for (ServerProcess server : servers) {
                outage(run, samples, server, upstream);
            }
        }
    }

    /** The memory of entries alone: the servers have already answered many queries when the first is cached. */
    private static void entries(Run run, Samples samples, List<ServerProcess> servers) throws IOException, InterruptedException {
        Path directory = run.directory("queries");
        Path warm = Names.queries(directory, "w", Names.UNCACHED, 10 * ENTRY_COUNT);
        Path cached = Names.queries(directory, "c", Names.CACHED, ENTRY_COUNT);
        Turns.run(servers, 1, (server, _) -> {
            run.progress().step("warming up %s", server.name());
            Dnsperf.run(server.port(), warm, run.plan().warmUp(), ResolverPart.ONCE).withoutErrors(server.name());
        });
        run.idle();
        double[] before = new double[servers.size()];
        for (int i = 0; i < before.length; i++) {
            before[i] = servers.get(i).anonymousMegabytes();
        }
        Turns.run(servers, 1, (server, _) ->
                Dnsperf.run(server.port(), cached, 60, List.of("-n", "1", "-Q", Integer.toString(FILL_RATE))).withoutErrors(server.name()));
        run.idle();
        for (int i = 0; i < before.length; i++) {
            samples.add(ENTRIES, servers.get(i).name(), servers.get(i).anonymousMegabytes() - before[i]);
        }
    }

    private static void outage(Run run, Samples samples, ServerProcess server, ServerProcess upstream) throws IOException, InterruptedException {
        run.progress().step("stopping the upstream of %s for %d s", server.name(), DURING_SECONDS);
        CompletableFuture<SteadyLoad.Result> load = SteadyLoad.start(
                server.port(), RATE, BEFORE_SECONDS + DURING_SECONDS + AFTER_SECONDS, i -> "o-service-" + i + "." + Names.CACHED);
        String name = server.name();
        samples.add(BEFORE, name, most(server, BEFORE_SECONDS));
        upstream.signal("STOP");
        try {
            samples.add(DURING, name, most(server, DURING_SECONDS));
        } finally {
            upstream.signal("CONT");
        }
        most(server, AFTER_SECONDS - 1);
        samples.add(AFTER, name, server.residentMegabytes());
        try {
            SteadyLoad.Result result = load.get();
            samples.add("answered", name, result.succeeded());
            samples.add("with an error", name, result.failed());
            samples.add("not at all", name, result.unanswered());
            samples.add("an error took p50, s", name, result.errorSeconds(50));
            samples.add("an error took p99, s", name, result.errorSeconds(99));
        } catch (ExecutionException e) {
            throw new IOException("cannot ask " + name + ": " + e.getCause(), e);
        }
    }

    private static double most(ServerProcess server, int seconds) throws IOException, InterruptedException {
        double most = 0;
        for (int i = 0; i < seconds * 5; i++) {
            TimeUnit.MILLISECONDS.sleep(200);
            most = Math.max(most, server.residentMegabytes());
        }
        return most;
    }
}
