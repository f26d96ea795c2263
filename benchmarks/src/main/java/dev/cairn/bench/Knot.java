package dev.cairn.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Knot with one UDP worker and one zone, to compare with or to be asked. */
final class Knot {
    private Knot() {}

    static ServerProcess start(Path work, String zone, CharSequence records) throws IOException {
        return start(work, zone, records, ServerProcess.Processor.LAST);
    }

    static ServerProcess start(Path work, String zone, CharSequence records, ServerProcess.Processor processor) throws IOException {
        int port = ServerProcess.freePort();
        Files.writeString(work.resolve(zone + ".zone"), "$ORIGIN " + zone
                + ".\n@ 30 SOA ns hostmaster 1 7200 1800 86400 30\n@ 30 NS ns\nns 30 A 127.0.0.1\n" + records);
        Path config = Files.writeString(work.resolve("knot.conf"), """
                server:
                    rundir: %1$s
                    listen: 127.0.0.1@%2$d
                    udp-workers: 1
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
                """.formatted(work, port, zone));
        return ServerProcess.start("Knot", port, work.resolve("Knot.log"), List.of("/usr/sbin/knotd", "-c", config.toString()), processor);
    }
}
