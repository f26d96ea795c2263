package dev.cairn.conformance;

import dev.cairn.server.ConfigException;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** The server of one suite with all that it needs, from start to {@link #close}. */
final class SuiteServer implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(15);

    private final UpstreamZone upstream;
    private final ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private @Nullable TestServer cairn;
    private @Nullable Process other;
    private int port;

    /** @param command what to run in place of the server of this project; null for that */
    SuiteServer(Suite suite, Path directory, @Nullable String command) throws IOException, ConfigException {
        upstream = new UpstreamZone(Facts.map(suite.source().get("upstream_zone")));
        try {
            start(new SuiteFiles(suite, directory), command);
            awaitReady(suite, directory);
        } catch (IOException | ConfigException | RuntimeException | AssertionError e) {
            close();
            throw e;
        }
    }

    private void start(SuiteFiles files, @Nullable String command) throws IOException, ConfigException {
        if (command == null) {
            cairn = TestServer.start(files.write(0, upstream.port(), silent.getLocalPort()));
            port = cairn.port();
            return;
        }
        try (BothPorts free = BothPorts.open()) {
            port = free.number();
        }
        Path corefile = files.directory().resolve("Corefile");
        Files.writeString(corefile, files.write(port, upstream.port(), silent.getLocalPort()));
        other = new ProcessBuilder(command, "-conf", corefile.toString())
                .redirectErrorStream(true)
                .redirectOutput(files.directory().resolve("log").toFile())
                .start();
    }

    /**
     * A name that does not exist is SERVFAIL until the server knows the cluster; it is the one question whose answer tells (the apex
     * exists whatever the cluster is). Where there is none, or it never gets known, an answer of any kind is enough.
     */
    private void awaitReady(Suite suite, Path directory) throws IOException {
        DnsClient client = new DnsClient(port, 300);
        Message probe = TestServer.query(suite.missingName(), Type.A);
        Awaitility.await("an answer of the server of " + suite).atMost(START).pollInterval(Duration.ofMillis(20)).until(() -> {
            if (other != null && !other.isAlive()) {
                throw new AssertionError("the server ended: " + Files.readString(directory.resolve("log")));
            }
            try {
                return client.ask(probe, Transport.UDP).getRcode() != Rcode.SERVFAIL || !suite.getsKnown();
            } catch (IOException e) {
                return false;
            }
        });
    }

    DnsClient client() {
        return new DnsClient(port, 5000);
    }

    @Override
    public void close() {
        if (cairn != null) {
            cairn.close();
        }
        if (other != null) {
            end(other);
        }
        try {
            upstream.close();
            silent.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A command may be a script with a child: it is asked to end, and what is left of it is ended. */
    private static void end(Process process) {
        var family = process.descendants().toList();
        process.destroy();
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        family.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
