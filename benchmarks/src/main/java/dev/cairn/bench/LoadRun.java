package dev.cairn.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Loads cairn and its peers in turn, on the same names, pinned to the same processor, and prints what a query costs each in CPU time.
 *
 * <p>Usage: {@code LoadRun CAIRN [--rounds N] [--seconds N] [--names N] [--coredns FILE] [--engine NAME]}
 */
public final class LoadRun {
    private static final String ZONE = "bench.example";

    /** Until start-up is over and what it needed has been given back. */
    private static final int IDLE_SECONDS = 15;

    private final Path cairn;
    private final String coredns;
    private final int rounds;
    private final int seconds;
    private final int names;
    private final String engine;
    private final Path work;

    private LoadRun(List<String> args) throws IOException {
        cairn = Path.of(args.getFirst());
        rounds = Integer.parseInt(option(args, "--rounds", "3"));
        seconds = Integer.parseInt(option(args, "--seconds", "5"));
        names = Integer.parseInt(option(args, "--names", "10000"));
        engine = option(args, "--engine", "auto");
        coredns = option(args, "--coredns", "");
        work = Files.createTempDirectory("cairn-load");
    }

    static String option(List<String> args, String name, String fallback) {
        int at = args.indexOf(name);
        return at < 0 ? fallback : args.get(at + 1);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 0) {
            System.err.println("usage: LoadRun CAIRN [--rounds N] [--seconds N] [--names N] [--coredns FILE] [--engine auto|ffm|epoll|nio]");
            System.exit(2);
        }
        new LoadRun(List.of(args)).run();
    }

    private void run() throws IOException, InterruptedException {
        String zone = writeQueries();
        List<ServerProcess> servers = new ArrayList<>();
        try {
            servers.add(cairn());
            servers.add(Knot.start(work, ZONE, zone));
            if (!coredns.isEmpty()) {
                servers.add(coredns());
            }
            for (ServerProcess server : servers) {
                server.awaitAnswer(name(0));
            }
            System.out.println("letting them idle ...");
            TimeUnit.SECONDS.sleep(IDLE_SECONDS);
            List<Long> idle = new ArrayList<>();
            for (ServerProcess server : servers) {
                idle.add(server.residentKilobytes());
            }
            List<Load> loads = servers.stream().map(server -> new Load(server, work.resolve("queries"))).toList();
            Load.run(loads, rounds, seconds);
            report(servers, loads, idle);
        } finally {
            servers.forEach(ServerProcess::close);
            ServerProcess.delete(work);
        }
    }

    private static void report(List<ServerProcess> servers, List<Load> loads, List<Long> idle) throws IOException {
        System.out.printf(Locale.ROOT, "%n| server | CPU us/query, median (min-max) | ratio to Knot | queries/s | lost | RSS idle | RSS loaded |%n");
        System.out.println("|---|---|---|---|---|---|---|");
        for (int i = 0; i < servers.size(); i++) {
            System.out.printf(Locale.ROOT, "| %s | %s | %d MB | %d MB |%n", servers.get(i).name(), loads.get(i).columns(loads.get(1)),
                    idle.get(i) / 1024, servers.get(i).residentKilobytes() / 1024);
        }
    }

    private static String name(int i) {
        return "service-" + i + "." + ZONE;
    }

    /** Writes the hosts file and the queries; returns the records of the zone. */
    private String writeQueries() throws IOException {
        StringBuilder hosts = new StringBuilder();
        StringBuilder zone = new StringBuilder();
        StringBuilder queries = new StringBuilder();
        for (int i = 0; i < names; i++) {
            String address = "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255);
            hosts.append(address).append(' ').append(name(i)).append('\n');
            zone.append("service-").append(i).append(" 30 A ").append(address).append('\n');
            queries.append(name((int) (i * 2654435761L % names))).append(" A\n");
        }
        Files.writeString(work.resolve("hosts"), hosts);
        Files.writeString(work.resolve("queries"), queries);
        return zone.toString();
    }

    private ServerProcess cairn() throws IOException {
        int port = ServerProcess.freePort();
        Path corefile = Files.writeString(work.resolve("Corefile"), corefile(port, "multisocket 1", 0));
        return ServerProcess.start("cairn", port, work.resolve("cairn.log"),
                List.of(cairn.toString(), "-conf", corefile.toString(), "--udp-engine", engine), ServerProcess.Processor.LAST);
    }

    private ServerProcess coredns() throws IOException {
        int port = ServerProcess.freePort();
        Path corefile = Files.writeString(work.resolve("Corefile.coredns"), corefile(port, "", ServerProcess.freePort()));
        return ServerProcess.start("CoreDNS", port, work.resolve("CoreDNS.log"), List.of(coredns, "-conf", corefile.toString()),
                ServerProcess.Processor.LAST);
    }

    private String corefile(int port, String more, int metrics) {
        return """
                %s:%d {
                    bind 127.0.0.1
                    %s
                    errors
                    prometheus 127.0.0.1:%d
                    loadbalance
                    hosts %s {
                        ttl 30
                    }
                }
                """.formatted(ZONE, port, more, metrics, work.resolve("hosts"));
    }
}
