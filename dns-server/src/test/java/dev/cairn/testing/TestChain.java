package dev.cairn.testing;

import dev.cairn.chain.Chain;
import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.ReplySink;
import dev.cairn.chain.Route;
import dev.cairn.chain.Router;
import dev.cairn.corefile.CorefileParser;
import dev.cairn.corefile.Directive;
import dev.cairn.corefile.Problems;
import dev.cairn.corefile.ServerBlock;
import dev.cairn.corefile.Transport;
import dev.cairn.corefile.Use;
import dev.cairn.corefile.ZoneKey;
import dev.cairn.http.HttpEndpoints;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.Host;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.plugin.Reloading;
import dev.cairn.plugin.Shared;
import dev.cairn.plugin.StartHook;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Message;

/**
 * The plugins of one server block for the root zone, some of them made for a test, without sockets: for what no plugin does on demand, such
 * as to keep a query for ever or to have a defect.
 */
public final class TestChain implements AutoCloseable {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final MetricRegistry metrics = new MetricRegistry();
    private final HttpEndpoints http = new HttpEndpoints();
    private final AtomicInteger panics = new AtomicInteger();
    private final Dispatcher dispatcher = new Dispatcher((_, _) -> panics.incrementAndGet());
    private final Block block;
    private final Router router;

    /** @param below are put below what the directives add */
    public TestChain(String directives, List<PluginSetup> setups, Plugin... below) throws IOException {
        Problems problems = new Problems();
        ServerBlock source = CorefileParser.parse("Corefile", ". {\n" + directives + "\n}\n", _ -> null, problems).blocks().getFirst();
        Reloading never = new Reloading() {
            @Override
            public @Nullable String digestOnDisk(Problems found) {
                return null;
            }

            @Override
            public boolean reload() {
                return false;
            }
        };
        block = new Block(new Host(metrics, http, scheduler, never, new Shared(), () -> ""), new Shared(), source.at(),
                List.of(new ZoneKey(Transport.DNS, ".", 53)));
        for (PluginSetup setup : setups) {
            List<Directive> uses = source.directives().stream().filter(one -> one.name().text().equals(setup.name())).toList();
            setup.setup(Use.of(uses, problems), block);
        }
        List.of(below).forEach(block::add);
        if (problems.hasErrors()) {
            throw new IllegalArgumentException(problems.all().toString());
        }
        Route route = new Route("dns://:53", WireName.ROOT, "", 0, block.stackTraces(), new Chain(block.plugins()));
        block.routed(route);
        router = new Router(List.of(route), new Route("dns://:53", WireName.ROOT, "", 1, true, new Chain(block.unroutedHooks())));
        for (StartHook hook : block.startHooks()) {
            hook.start();
        }
    }

    public Block block() {
        return block;
    }

    public Router router() {
        return router;
    }

    public Dispatcher dispatcher() {
        return dispatcher;
    }

    public String metrics() {
        return metrics.scrape();
    }

    public int panics() {
        return panics.get();
    }

    /** Sends a query from 127.0.0.1:1053 to 127.0.0.1:53 over UDP and waits for the reply. */
    public Message ask(Message query) throws Exception {
        CompletableFuture<byte[]> reply = new CompletableFuture<>();
        byte[] now = handle(new Exchange(), query.toWire(), (_, bytes, length) -> reply.complete(Arrays.copyOf(bytes, length)));
        return new Message(now.length > 0 ? now : reply.get(2, TimeUnit.MINUTES));
    }

    /** Hands a packet in; returns the reply, empty if there is none or it comes later. */
    public byte[] handle(Exchange exchange, byte[] packet, ReplySink sink) {
        System.arraycopy(packet, 0, exchange.query().buffer(packet.length), 0, packet.length);
        exchange.from(Protocol.UDP, LOOPBACK, 1053, LOOPBACK, 53, 4);
        Dispatcher.Worker worker = Dispatcher.worker();
        int length = dispatcher.handle(exchange, packet.length, router, worker, sink);
        return Arrays.copyOf(worker.out(), Math.max(0, length));
    }

    @Override
    public void close() {
        block.stopHooks().forEach(Runnable::run);
        dispatcher.close();
        scheduler.shutdownNow();
        http.close();
    }
}
