package dev.cairn.plugin.hosts;


import dev.cairn.chain.Chain;
import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Route;
import dev.cairn.chain.Router;
import dev.cairn.corefile.Problems;
import dev.cairn.http.HttpEndpoints;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.Host;
import dev.cairn.plugin.Reloading;
import dev.cairn.plugin.Shared;
import dev.cairn.testing.Garbage;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.WireName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Type;

class HostsAllocationTest {
    private static final int QUERIES = 5_000;
    private static final Reloading NO_RELOADING = new Reloading() {
        @Override
        public @Nullable String digestOnDisk(Problems problems) {
            return "";
        }

        @Override
        public boolean reload() {
            return false;
        }
    };

    private static Chain chain(Host host) {
        List<WireName> root = List.of(WireName.ROOT);
        HostsSettings settings = new HostsSettings(Path.of("/nonexistent"), root,
                List.of("10.0.0.1 a.example.org", "10.0.0.2 a.example.org *.wild.example.org"), 60, Duration.ZERO, true, List.of(), false);
        HostsSource source = new HostsSource(settings, host);
        source.start();
        return new Chain(List.of(new HostsPlugin(settings, source)));
    }

    @ParameterizedTest
    @CsvSource({
        "a.example.org, A", "a.example.org, AAAA", "x.wild.example.org, A", "1.0.0.10.in-addr.arpa, PTR", "nope.example.org, A"
    })
    void answersWithoutGarbage(String name, String type) throws Exception {
        byte[] packet = TestServer.query(name, Type.value(type)).toWire();
        try (ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
                HttpEndpoints http = new HttpEndpoints()) {
            Chain chain = chain(new Host(new MetricRegistry(), http, scheduler, NO_RELOADING, new Shared(), () -> ""));
            Route route = new Route("dns://:53", WireName.ROOT, "", 0, false, chain);
            Router router = new Router(List.of(route), route);
            Dispatcher dispatcher = new Dispatcher((_, thrown) -> {
                throw thrown;
            });
            Exchange exchange = new Exchange();
            Garbage.assertNone(() -> {
                for (int i = 0; i < QUERIES; i++) {
                    System.arraycopy(packet, 0, exchange.query().buffer(packet.length), 0, packet.length);
                    int length = dispatcher.handle(exchange, packet.length, router, Dispatcher.worker(), (_, _, _) -> {});
                    if (length < packet.length) {
                        throw new AssertionError("no reply");
                    }
                }
            });
        }
    }
}
