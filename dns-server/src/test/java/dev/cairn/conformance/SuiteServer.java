package dev.cairn.conformance;

import dev.cairn.plugin.PluginSetup;
import dev.cairn.server.ConfigException;
import dev.cairn.server.PluginList;
import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/**
 * The server of one suite with all that it needs, from start to {@link #close}. It runs in this process; or, if the suite needs certain
 * addresses, as a process in a network of its own; or as another program, for judging the tests.
 */
final class SuiteServer implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 120_000;

    private final Deque<Closeable> parts = new ArrayDeque<>();
    private final Suite suite;
    private final SuiteFiles files;
    private final Function<String, DnsClient> clients;

    /**
     * @param command what to run in place of the server of this project; null for that
     * @param source where the cluster is, as the kubernetes plugin takes it; null for manifests
     */
    SuiteServer(Suite suite, Path directory, @Nullable String command, @Nullable String source) throws IOException, ConfigException {
        this.suite = suite;
        files = new SuiteFiles(suite, directory, source, command == null);
        UpstreamZone upstream = new UpstreamZone(Facts.map(suite.source().get("upstream_zone")));
        parts.push(upstream::close);
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        parts.push(silent);
        try {
            boolean apart = !suite.addresses().isEmpty();
            int port = apart ? 53 : command != null ? freePort() : 0;
            String corefile = files.write(port, upstream.port(), silent.getLocalPort());
            Files.writeString(directory.resolve("Corefile"), corefile);
            clients = apart ? startApart(command) : command != null ? startOther(command, port) : startHere(corefile);
            awaitReady();
        } catch (IOException | ConfigException | RuntimeException | AssertionError e) {
            close();
            throw e;
        }
    }

    private Function<String, DnsClient> startHere(String corefile) throws IOException, ConfigException {
        if (!suite.nextHandler().isEmpty()) {
            List<PluginSetup> used = PluginList.inOrder().stream().filter(setup -> suite.plugins().contains(setup.name())).toList();
            TestChain chain = new TestChain(suite.directives(corefile), used, new NextHandler(suite.nextHandler()));
            parts.push(chain::close);
            return _ -> (query, _) -> ask(chain, query);
        }
        TestServer server = TestServer.start(corefile);
        parts.push(server::close);
        return _ -> new SocketClient(server.port(), TIMEOUT_MILLIS, null);
    }

    private static Message ask(TestChain chain, Message query) throws IOException {
        try {
            return chain.ask(query);
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private Function<String, DnsClient> startOther(String command, int port) throws IOException {
        run(List.of(command, "-conf", "Corefile"));
        return _ -> new SocketClient(port, TIMEOUT_MILLIS, null);
    }

    private Function<String, DnsClient> startApart(@Nullable String command) throws IOException {
        List<String> namespaces = Namespaces.make("", suite.addresses());
        long process;
        if (command != null) {
            List<String> whole = new ArrayList<>(namespaces);
            whole.addAll(List.of(command, "-conf", "Corefile"));
            process = run(whole);
        } else {
            CairnProcess server = CairnProcess.startBy(namespaces, files.directory(), "-conf", "Corefile");
            parts.push(server::close);
            server.port();
            process = server.pid();
        }
        return from -> new AskFromWithin(process, 53, from);
    }

    private long run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(files.directory().toFile())
                .redirectErrorStream(true)
                .redirectOutput(files.directory().resolve("log").toFile())
                .start();
        parts.push(() -> end(process));
        return process.pid();
    }

    /**
     * A name that does not exist is SERVFAIL until the server knows the cluster; it is the one question whose answer tells (the apex
     * exists whatever the cluster is). Where there is none, or it never gets known, an answer of any kind is enough.
     */
    private void awaitReady() throws IOException {
        Message probe = TestServer.query(suite.missingName(), Type.A);
        try {
            Awaitility.await().pollInterval(Duration.ofMillis(20)).ignoreExceptionsInstanceOf(IOException.class).until(() ->
                    client("").ask(probe, Transport.TCP).getRcode() != Rcode.SERVFAIL || !suite.getsKnown());
        } catch (org.awaitility.core.ConditionTimeoutException e) {
            Path log = files.directory().resolve("log");
            String said = Files.exists(log) ? ": " + Files.readString(log) : "";
            throw new AssertionError("the server of " + suite + " is not ready" + said + Namespaces.wayOut(), e);
        }
    }

    private static int freePort() throws IOException {
        try (BothPorts free = BothPorts.open()) {
            return free.number();
        }
    }

    /** @param from the address to ask from; empty for any */
    DnsClient client(String from) {
        return clients.apply(from);
    }

    @Override
    public void close() throws IOException {
        while (!parts.isEmpty()) {
            parts.pop().close();
        }
    }

    /** A command may be a script with a child: it is asked to end, and what is left of it is ended. */
    private static void end(Process process) {
        List<ProcessHandle> family = process.descendants().toList();
        process.destroy();
        process.onExit().completeOnTimeout(process, 5, TimeUnit.SECONDS).join();
        family.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
