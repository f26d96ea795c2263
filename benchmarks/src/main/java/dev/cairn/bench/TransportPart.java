package dev.cairn.bench;

import dev.cairn.bench.load.Dnsperf;
import dev.cairn.bench.load.H2load;
import dev.cairn.bench.report.Chapter;
import dev.cairn.bench.report.Chart;
import dev.cairn.bench.report.Samples;
import dev.cairn.bench.server.Fleet;
import dev.cairn.bench.server.Processors;
import dev.cairn.bench.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Answers over TCP, TLS and HTTP/2 beside CoreDNS. */
final class TransportPart implements Part {
    static final String NAME = "transports";
    private static final String DOT = "DoT";
    static final List<String> TRANSPORTS = List.of("TCP", DOT, "DoH");

    @Override
    public Chapter chapter() {
        return new Chapter(NAME, "TCP, TLS and HTTP/2", """
                10,000 names of a hosts file with `errors`, `prometheus` and `loadbalance`; each server on one processor. dnsperf, and h2load for
                HTTP/2, on another with four connections that stay open and up to 100 queries outstanding in all; TLS with a key of P-256; DoH with GET. Warmed up for
                twice as long before DoT, until next to nothing is left to be compiled.""", Fleet.COREDNS, List.of(
                new Chart("transports", "CPU time of an answer over connections", "times cairn's", Chart.Kind.RATIOS,
                        TRANSPORTS.stream().map(transport -> Flood.named(Flood.CPU, transport)).toList())));
    }

    @Override
    public int seconds(Plan plan) {
        return 10 + 3 * plan.loadSeconds(2) + 2 * (warmUp(plan, DOT) - plan.warmUp());
    }

    /** DoT, which comes first of those with TLS, has most to be compiled, by a compiler that has a quarter of the one processor. */
    private static int warmUp(Plan plan, String transport) {
        return transport.equals(DOT) ? 2 * plan.warmUp() : plan.warmUp();
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
        Path directory = run.directory("hosts");
        Path hosts = Names.hosts(directory);
        Path queries = Names.hostQueries(directory);
        String certificate = certificate(directory);
        try (Fleet fleet = run.fleet()) {
            List<ServerProcess> servers = new ArrayList<>();
            Map<String, List<Integer>> ports = new HashMap<>();
            for (String name : Fleet.BOTH) {
                ports.put(name, List.of(ServerProcess.freePort(), ServerProcess.freePort(), ServerProcess.freePort()));
                servers.add(fleet.encrypted(name, hosts, certificate, ports.getOrDefault(name, List.of()), Processors.LAST));
            }
            for (ServerProcess server : servers) {
                server.awaitAnswer(Names.host(0));
            }
            for (int i = 0; i < TRANSPORTS.size(); i++) {
                int number = i;
                String transport = TRANSPORTS.get(i);
                new Flood(run, samples, transport, warmUp(run.plan(), transport), (server, _, seconds) ->
                        ask(transport, server, ports.getOrDefault(server.name(), List.of()).get(number), queries, seconds)).measure(servers);
            }
        }
    }

    private static Flood.Answers ask(String transport, ServerProcess server, int port, Path queries, int seconds) throws IOException, InterruptedException {
        if (transport.equals("DoH")) {
            H2load result = H2load.run(H2load.addresses(queries, port), seconds);
            return new Flood.Answers(result.completed(), 0, result.rate());
        }
        Dnsperf result = Dnsperf.run(port, queries, seconds, List.of("-c", "4", "-q", "100", "-m", transport.toLowerCase(Locale.ROOT)))
                .withoutErrors(server.name());
        return new Flood.Answers(result.completed(), result.lost(), result.rate());
    }

    /** A certificate and its key, as the plugin takes them. */
    private static String certificate(Path directory) throws IOException, InterruptedException {
        String certificate = directory.resolve("tls.crt").toString();
        String key = directory.resolve("tls.key").toString();
        Process openssl = new ProcessBuilder("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate)
                .redirectErrorStream(true).redirectOutput(directory.resolve("openssl.log").toFile()).start();
        if (openssl.waitFor() != 0) {
            throw new IOException("openssl: " + java.nio.file.Files.readString(directory.resolve("openssl.log")));
        }
        return certificate + " " + key;
    }
}
