package dev.cairn.bench;

import dev.cairn.e2e.Peers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Starts cairn, CoreDNS and Unbound with one upstream and a cache of the same reach, each on one processor. */
final class Resolvers {
    /** Names in it are cached; others of the upstream are not. */
    static final String CACHED = "bench.example";

    /** Of a TTL of zero, since Unbound has no cache for some names only. */
    static final String UNCACHED = "warm.example";

    static final String ZONE = "example";
    static final String RECORDS = "*.bench 3600 A 10.0.0.1\n*.warm 0 A 10.0.0.2\n";

    private Resolvers() {}

    static ServerProcess cairn(Path work, Path program, int upstream) throws IOException {
        return corefile("cairn", work, program, upstream, "multisocket 1");
    }

    static ServerProcess coredns(Path work, int upstream) throws IOException {
        return corefile("CoreDNS", work, Peers.find("coredns"), upstream, "");
    }

    /** Room for 20,000 entries, since 10,000 do not all fit into the usual 9,984. */
    private static ServerProcess corefile(String name, Path work, Path program, int upstream, String more) throws IOException {
        int port = ServerProcess.freePort();
        Path corefile = Files.writeString(work.resolve("Corefile." + name), """
                .:%d {
                    bind 127.0.0.1
                    %s
                    errors
                    cache 300 %s {
                        success 20000 300
                    }
                    forward . 127.0.0.1:%d
                }
                """.formatted(port, more, CACHED, upstream));
        return ServerProcess.start(name, port, work.resolve(name + ".log"), List.of(program.toString(), "-conf", corefile.toString()),
                ServerProcess.Processor.LAST);
    }

    static ServerProcess unbound(Path work, int upstream) throws IOException {
        int port = ServerProcess.freePort();
        Path config = Files.writeString(work.resolve("unbound.conf"), """
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
                """.formatted(port, work, upstream));
        return ServerProcess.start("Unbound", port, work.resolve("Unbound.log"), List.of("/usr/sbin/unbound", "-d", "-c",
                config.toString()), ServerProcess.Processor.LAST);
    }
}
