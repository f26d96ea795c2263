package dev.cairn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.listen.Engines;
import dev.cairn.testing.RawClient;
import dev.cairn.testing.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.Type;

class ReloadUnderLoadTest {
    private static final int RELOADS = 100;
    private static final int CLIENTS = 4;

    /** A client that loses one query gets a timeout, which fails it; none of them ever sends a query twice. */
    @ParameterizedTest
    @EnumSource(value = Engines.Choice.class, names = {"FFM", "EPOLL"})
    void noQueryIsLostAcrossAHundredReloads(Engines.Choice engine) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        byte[] query = TestServer.query("example.org", Type.A).toWire();
        try (TestServer server = TestServer.start("example.org {\n whoami\n}", engine);
                ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Integer>> asked = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                boolean tcp = i % 2 == 1;
                Callable<Integer> client = () -> {
                    int count = 0;
                    try (RawClient raw = RawClient.to(server)) {
                        while (!done.get()) {
                            byte[] reply = raw.ask(tcp, query);
                            assertThat(reply[3] & 15).isZero();
                            count++;
                        }
                    }
                    return count;
                };
                asked.add(clients.submit(client));
            }
            try {
                for (int i = 0; i < RELOADS; i++) {
                    assertThat(server.reload("example.org example-" + i + ".net {\n whoami\n}")).isTrue();
                }
            } finally {
                done.set(true);
            }
            for (Future<Integer> client : asked) {
                assertThat(client.get()).isPositive();
            }
        }
    }
}
