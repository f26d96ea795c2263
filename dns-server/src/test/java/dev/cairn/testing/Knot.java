package dev.cairn.testing;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** A Knot DNS server on a loopback port: a name server that nobody here wrote. */
public final class Knot implements AutoCloseable {
    private final Process process;
    private final int port;
    private final Path directory;

    /**
     * Starts it.
     *
     * @param configuration the sections after {@code server}, {@code log} and {@code database}, in Knot's YAML
     */
    public Knot(Path directory, int port, String configuration) throws IOException {
        this.port = port;
        this.directory = directory;
        Path conf = Files.writeString(directory.resolve("knot.conf"), """
                server:
                    rundir: "%1$s"
                    listen: 127.0.0.1@%2$d
                    udp-workers: 1
                    tcp-workers: 1
                    background-workers: 1
                log:
                  - target: stderr
                    any: info
                database:
                    storage: "%1$s"
                """.formatted(directory, port) + configuration);
        try {
            process = new ProcessBuilder("knotd", "-c", conf.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("knot.log").toFile())
                    .start();
        } catch (IOException e) {
            throw new AssertionError("knotd is not installed; run tools/setup", e);
        }
    }

    /** A port that is free now for both UDP and TCP. */
    public static int freePort() throws IOException {
        while (true) {
            try (ServerSocket tcp = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    DatagramSocket _ = new DatagramSocket(tcp.getLocalPort(), InetAddress.getLoopbackAddress())) {
                return tcp.getLocalPort();
            } catch (java.net.BindException e) {
                // taken for UDP: the next one
            }
        }
    }

    public int port() {
        return port;
    }

    /** Waits until the zone is answered for. */
    public Knot awaitZone(String zone) throws IOException {
        try {
            Awaitility.await().pollInterval(Duration.ofMillis(50)).ignoreExceptions().until(() ->
                    TestServer.ask(port, TestServer.query(zone, Type.SOA), false).getRcode() == Rcode.NOERROR);
        } catch (org.awaitility.core.ConditionTimeoutException e) {
            throw new AssertionError(log(), e);
        }
        return this;
    }

    /** Has zone files read again. */
    public void reload() throws IOException, InterruptedException {
        Programs.run("kill", "-HUP", Long.toString(process.pid()));
    }

    public String log() throws IOException {
        return Files.readString(directory.resolve("knot.log"));
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(2, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
