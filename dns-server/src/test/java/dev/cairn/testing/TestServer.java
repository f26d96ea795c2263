package dev.cairn.testing;

import dev.cairn.corefile.CorefileParser;
import dev.cairn.listen.Engines;
import dev.cairn.log.Log;
import dev.cairn.plugin.Shared;
import dev.cairn.server.ConfigException;
import dev.cairn.server.ConfigSource;
import dev.cairn.server.Server;
import dev.cairn.upstream.UpstreamLoops;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/**
 * A server with the given Corefile on a port of the kernel's choice: zones without a port all share one; those with a scheme have ports of
 * their own, which the kernel chooses, too, if the key says {@code :0}. Log lines are kept for
 * {@link #log}. Close it at the end of the test.
 */
public final class TestServer implements AutoCloseable {
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final @Nullable PrintStream logBefore;
    private final Server server;
    private volatile String corefile;

    private TestServer(String corefile, @Nullable Path file, Engines engines, Consumer<Shared> beforeStart) throws ConfigException, IOException {
        this.corefile = corefile;
        logBefore = Log.redirect(new PrintStream(log, true, StandardCharsets.UTF_8));
        ConfigSource source = file != null
                ? ConfigSource.file(file)
                : problems -> CorefileParser.parse("Corefile", this.corefile, System::getenv, problems);
        server = new Server(source, 0, engines);
        beforeStart.accept(server.process());
        try {
            server.start();
        } catch (ConfigException | IOException e) {
            close();
            throw e;
        }
    }

    public static TestServer start(String corefile) throws ConfigException, IOException {
        return start(corefile, Engines.Choice.AUTO);
    }

    public static TestServer start(String corefile, Engines.Choice engine) throws ConfigException, IOException {
        return start(corefile, new Engines(engine));
    }

    /** Serves by engines of the test's choice, which end with the server. */
    public static TestServer start(String corefile, Engines engines) throws ConfigException, IOException {
        return new TestServer(corefile, null, engines, _ -> {});
    }

    /** Serves with one thread that asks upstreams, whatever the machine has, so that all queries meet there. */
    public static TestServer startWithOneLane(String corefile) throws ConfigException, IOException {
        return new TestServer(corefile, null, new Engines(Engines.Choice.AUTO),
                process -> process.get(UpstreamLoops.class, () -> new UpstreamLoops(1)));
    }

    /** Serves a Corefile on disk, which the test may change. */
    public static TestServer start(Path corefile) throws ConfigException, IOException {
        return new TestServer("", corefile, new Engines(Engines.Choice.AUTO), _ -> {});
    }

    /** The messages of a configuration that must not start. */
    public static List<String> errorsOf(String corefile) throws IOException {
        try (TestServer _ = start(corefile)) {
            return List.of();
        } catch (ConfigException e) {
            return e.problems().stream().map(Object::toString).toList();
        }
    }

    public Server server() {
        return server;
    }

    /** The port of the first server address. */
    public int port() {
        return server.ports().values().iterator().next();
    }

    /** The port of the first server address with this scheme: dns, tls, https or quic. */
    public int port(String scheme) {
        return server.ports().entrySet().stream()
                .filter(entry -> entry.getKey().transport().scheme().equals(scheme))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    /** Where a path such as {@code /health} is answered, at the one address that has it. */
    public URI http(String path) {
        InetSocketAddress address = server.http().addressesOf(path).getFirst();
        return URI.create("http://127.0.0.1:" + address.getPort() + path);
    }

    /** Puts another Corefile into service as SIGUSR1 would; returns whether that went well. */
    public boolean reload(String next) {
        corefile = next;
        return server.reload();
    }

    /** Changes what a re-read finds, without telling the server. */
    public void edit(String next) {
        corefile = next;
    }

    /** Asks over UDP without EDNS. */
    public Message ask(String name, int type) throws IOException {
        return ask(query(name, type), false);
    }

    public Message askTcp(String name, int type) throws IOException {
        return ask(query(name, type), true);
    }

    /** Sends a message as it is, over UDP (a truncated reply is returned as such) or TCP. */
    public Message ask(Message query, boolean tcp) throws IOException {
        return ask(port(), query, tcp);
    }

    /** The same to any port of this machine. */
    public static Message ask(int port, Message query, boolean tcp) throws IOException {
        SimpleResolver resolver = new SimpleResolver(InetAddress.getLoopbackAddress());
        resolver.setPort(port);
        resolver.setTCP(tcp);
        resolver.setIgnoreTruncation(true);
        resolver.setEDNS(-1); // it would add an OPT of its own
        resolver.setTimeout(Duration.ofMinutes(2));
        return resolver.send(query);
    }

    public static Message query(String name, int type) throws IOException {
        return Message.newQuery(Record.newRecord(Name.fromString(name, Name.root), type, DClass.IN));
    }

    /** The records of a section as zone-file text with single spaces, OPT left out. */
    public static List<String> rows(Message message, int section) {
        return message.getSection(section).stream()
                .filter(record -> record.getType() != Type.OPT)
                .map(record -> record.toString().replaceAll("\\s+", " "))
                .toList();
    }

    public static List<String> answers(Message message) {
        return rows(message, Section.ANSWER);
    }

    /** What a scrape of the metrics tells now. */
    public String metrics() {
        return server.metrics().scrape();
    }

    public List<String> log() {
        Log.flush();
        return log.toString(StandardCharsets.UTF_8).lines().toList();
    }

    public Stream<String> logLinesWith(String part) {
        return log().stream().filter(line -> line.contains(part));
    }

    @Override
    public void close() {
        server.stop(Duration.ZERO);
        Log.redirect(logBefore);
    }
}
