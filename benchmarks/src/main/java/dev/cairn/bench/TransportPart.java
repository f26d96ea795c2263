package dev.cairn.bench;

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
import java.util.Map;

/** Answers over TCP, TLS and HTTP/2 beside CoreDNS. */
final class TransportPart implements Part {
    static final String NAME = "transports";
    static final List<String> TRANSPORTS = List.of("TCP", "DoT", "DoH");

    @Override
    public Chapter chapter() {
        return new Chapter(NAME, "TCP, TLS and HTTP/2", """
                10,000 names of a hosts file with `errors`, `prometheus` and `loadbalance`; each server on one processor. dnsperf on another with four connections
                that stay open, up to 100 queries outstanding in all; TLS with a key of P-256; DoH with GET over HTTP/2.""", Fleet.COREDNS, List.of(
                new Chart("transports", "CPU time of an answer over connections", "times cairn's", Chart.Kind.RATIOS,
                        TRANSPORTS.stream().map(transport -> Flood.named(Flood.CPU, transport)).toList())));
    }

    @Override
    public int seconds(Plan plan) {
        return 10 + 3 * plan.loadSeconds(2);
    }

    @Override
    public boolean needsCluster() {
        return false;
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
                new Flood(run, samples, transport, List.of(queries), options(transport), Processors.FIRST,
                        server -> ports.getOrDefault(server.name(), List.of()).get(number)).measure(servers);
            }
        }
    }

    private static List<String> options(String transport) {
        List<String> options = new ArrayList<>(List.of("-c", "4", "-q", "100", "-m", transport.toLowerCase(java.util.Locale.ROOT)));
        if (transport.equals("DoH")) {
            options.addAll(List.of("-O", "doh-uri=https://localhost/dns-query"));
        }
        return options;
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
