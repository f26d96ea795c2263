package dev.cairn.bench.server;

import dev.cairn.e2e.Peers;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Starts servers, each with a directory of its own, and ends them all. */
public final class Fleet implements AutoCloseable {
    public static final String CAIRN = "cairn";
    public static final String COREDNS = "CoreDNS";
    public static final String KNOT = "Knot";
    public static final String UNBOUND = "Unbound";
    /** In turn. */
    public static final List<String> BOTH = List.of(CAIRN, COREDNS);

    private final Path work;
    private final Path cairn;
    private final List<ServerProcess> running = new ArrayList<>();
    private final Map<ServerProcess, Integer> metricsPorts = new HashMap<>();
    private int started;

    /** For a command that is measured, with files below a directory. */
    public Fleet(Path work, Path cairn) {
        this.work = work;
        this.cairn = cairn;
    }

    private Path directory(String name) throws IOException {
        return Files.createDirectories(work.resolve(name + "-" + started++));
    }

    private ServerProcess add(ServerProcess server) {
        running.add(server);
        return server;
    }

    /** cairn or CoreDNS with a Corefile; what its command is to begin with stands first. */
    private ServerProcess corefile(String name, String corefile, int port, List<String> prefix, Processors processors) throws IOException {
        Path directory = directory(name);
        Path file = Files.writeString(directory.resolve("Corefile"), corefile);
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of((name.equals(CAIRN) ? cairn : Peers.find("coredns")).toString(), "-conf", file.toString()));
        return add(ServerProcess.start(name, port, directory.resolve("log"), command, processors));
    }

    /** With kubeadm's Corefile and the API server that a pod finds, or that of a URL. */
    public ServerProcess kubeadm(String name, int upstream, List<String> prefix, String url, Processors processors) throws IOException {
        int port = ServerProcess.freePort();
        int metricsPort = ServerProcess.freePort();
        String source = url.isEmpty() ? "" : "endpoint " + url;
        ServerProcess server = corefile(name, Corefiles.kubeadm(port, metricsPort, upstream, source), port, prefix, processors);
        metricsPorts.put(server, metricsPort);
        return server;
    }

    /** The metrics of a server with kubeadm's Corefile. */
    public String metrics(ServerProcess server) throws IOException {
        try (InputStream in = URI.create("http://127.0.0.1:" + metricsPorts.get(server) + "/metrics").toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** With a cache for the names of a zone. */
    public ServerProcess resolver(String name, String cached, int upstream, Processors processors) throws IOException {
        if (name.equals(UNBOUND)) {
            return unbound(upstream, processors);
        }
        int port = ServerProcess.freePort();
        return corefile(name, Corefiles.resolver(port, cached, upstream), port, List.of(), processors);
    }

    /** With a hosts file and nothing else. */
    public ServerProcess hosts(String name, Path hosts, Processors processors) throws IOException {
        int port = ServerProcess.freePort();
        return corefile(name, Corefiles.hosts("", port, ServerProcess.freePort(), hosts, ""), port, List.of(), processors);
    }

    /** With a hosts file, over UDP and TCP on the server's port, TLS on the next of the list, and HTTP/2 on the last. */
    public ServerProcess encrypted(String name, Path hosts, String certificate, List<Integer> ports, Processors processors) throws IOException {
        int metrics = ServerProcess.freePort();
        String corefile = Corefiles.hosts("", ports.get(0), metrics, hosts, "")
                + Corefiles.hosts("tls://", ports.get(1), metrics, hosts, "tls " + certificate)
                + Corefiles.hosts("https://", ports.get(2), metrics, hosts, "tls " + certificate);
        return corefile(name, corefile, ports.get(0), List.of(), processors);
    }

    /** Knot with one UDP worker for each of two processors at most, and one zone, to compare with or to be asked. */
    public ServerProcess knot(String zone, CharSequence records, Processors processors) throws IOException {
        Path directory = directory(KNOT);
        int port = ServerProcess.freePort();
        Files.writeString(directory.resolve(zone + ".zone"), "$ORIGIN " + zone
                + ".\n@ 30 SOA ns hostmaster 1 7200 1800 86400 30\n@ 30 NS ns\nns 30 A 127.0.0.1\n" + records);
        int workers = processors == Processors.LAST_TWO ? 2 : 1;
        Path config = Files.writeString(directory.resolve("knot.conf"), """
                server:
                    rundir: %1$s
                    listen: 127.0.0.1@%2$d
                    udp-workers: %4$d
                    tcp-workers: 1
                    background-workers: 1
                database:
                    storage: %1$s
                log:
                  - target: %1$s/knot.log
                    any: error
                template:
                  - id: default
                    storage: %1$s
                    file: "%%s.zone"
                    zonefile-sync: -1
                    journal-content: none
                zone:
                  - domain: %3$s
                """.formatted(directory, port, zone, workers));
        return add(ServerProcess.start(KNOT, port, directory.resolve("log"), List.of("/usr/sbin/knotd", "-c", config.toString()), processors));
    }

    private ServerProcess unbound(int upstream, Processors processors) throws IOException {
        Path directory = directory(UNBOUND);
        int port = ServerProcess.freePort();
        Path config = Files.writeString(directory.resolve("unbound.conf"), """
                server:
                    interface: 127.0.0.1
                    port: %d
                    num-threads: 1
                    module-config: "iterator"
                    do-not-query-localhost: no
                    do-daemonize: no
                    use-syslog: no
                    username: ""
                    chroot: ""
                    directory: "%s"
                    pidfile: ""
                    cache-max-ttl: 300
                forward-zone:
                    name: "."
                    forward-addr: 127.0.0.1@%d
                remote-control:
                    control-enable: no
                """.formatted(port, directory, upstream));
        return add(ServerProcess.start(UNBOUND, port, directory.resolve("log"), List.of("/usr/sbin/unbound", "-d", "-c", config.toString()),
                processors));
    }

    /** Ends one before the others. */
    public void end(ServerProcess server) {
        server.close();
        running.remove(server);
    }

    @Override
    public void close() {
        running.forEach(ServerProcess::close);
        running.clear();
    }
}
