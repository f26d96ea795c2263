package dev.cairn.plugin.cache;

import dev.cairn.corefile.Transport;
import dev.cairn.listen.Engines;
import dev.cairn.listen.ListenAddress;
import dev.cairn.listen.Listener;
import dev.cairn.plugin.ListenSettings;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/** A cache on real sockets above an {@link Upstream}, with a clock of its own. */
final class CacheServer implements AutoCloseable {
    static final String NAME = "www.example.org";

    final Upstream upstream = new Upstream();
    final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1_000_000_000L); // wraps round soon, as nanoTime may
    final TestChain chain;
    private final Engines engines = new Engines(Engines.Choice.AUTO);
    private final Listener listener;

    /** @param above directives before the cache, with their set-ups */
    CacheServer(String cache, String above, List<PluginSetup> setups) throws IOException {
        List<PluginSetup> all = new ArrayList<>(setups);
        all.add(new CacheSetup(clock::get));
        chain = new TestChain(above + "\n" + cache, all, upstream);
        listener = engines.open(
                new ListenAddress(Transport.DNS, "127.0.0.1", 0), ListenSettings.DEFAULT.withSockets(1), chain.router(), chain.dispatcher());
    }

    /** @param block the lines of the directive's block */
    static CacheServer start(String... block) throws IOException {
        return new CacheServer("cache . {\n" + String.join("\n", block) + "\n}", "", List.of());
    }

    void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    void passSeconds(int seconds) {
        pass(Duration.ofSeconds(seconds));
    }

    Message ask() throws IOException {
        return ask(NAME);
    }

    Message ask(String name) throws IOException {
        return ask(query(name));
    }

    Message ask(Message query) throws IOException {
        return TestServer.ask(listener.port(), query, false);
    }

    Message askTcp(Message query) throws IOException {
        return TestServer.ask(listener.port(), query, true);
    }

    /** Asks in the background. */
    CompletableFuture<Message> asking(Message query, boolean tcp) {
        CompletableFuture<Message> reply = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                reply.complete(TestServer.ask(listener.port(), query, tcp));
            } catch (IOException e) {
                reply.completeExceptionally(e);
            }
        });
        return reply;
    }

    static Message query(String name) throws IOException {
        return TestServer.query(name, Type.A);
    }

    /** @param flag one of dnsjava's {@link Flags} */
    static Message query(String name, int flag) throws IOException {
        Message query = query(name);
        query.getHeader().setFlag(flag);
        return query;
    }

    int asked() {
        return upstream.asked.size();
    }

    /** The value of a metric of the cache, with its labels between; 0 if it is not there. */
    long metric(String name, String type) {
        String start = "coredns_cache_" + name + "{server=\"dns://:53\"," + (type.isEmpty() ? "" : "type=\"" + type + "\",")
                + "view=\"\",zones=\".\"} ";
        return chain.metrics().lines().filter(line -> line.startsWith(start))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(start.length()))).findFirst().orElse(0);
    }

    @Override
    public void close() {
        listener.close(Duration.ZERO);
        engines.close();
        chain.close();
    }
}
