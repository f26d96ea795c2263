package dev.cairn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.listen.Engines;
import dev.cairn.testing.RawClient;
import dev.cairn.testing.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
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
        AtomicIntegerArray answered = new AtomicIntegerArray(CLIENTS);
        byte[] query = TestServer.query("example.org", Type.A).toWire();
        try (TestServer server = TestServer.start("example.org {\n whoami\n}", engine);
                ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<@Nullable Void>> asked = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int self = i;
                boolean tcp = i % 2 == 1;
                Callable<@Nullable Void> client = () -> {
                    try (RawClient raw = RawClient.to(server)) {
                        while (!done.get()) {
                            byte[] reply = raw.ask(tcp, query);
                            assertThat(reply[3] & 15).isZero();
                            answered.incrementAndGet(self);
                        }
                    }
                    return null;
                };
                asked.add(clients.submit(client));
            }
            try {
                for (int i = 0; i < RELOADS; i++) {
                    awaitEachAnswered(answered, asked);
                    assertThat(server.reload("example.org example-" + i + ".net {\n whoami\n}")).isTrue();
                }
            } finally {
                done.set(true);
            }
            for (Future<@Nullable Void> client : asked) {
                assertThat(client.get()).isNull(); // throws what the client met
            }
        }
    }

    /** Lets every client get at least one more answer, so that all of them are at work during every reload. */
    private static void awaitEachAnswered(AtomicIntegerArray answered, List<Future<@Nullable Void>> clients) {
        int[] before = IntStream.range(0, CLIENTS).map(answered::get).toArray();
        Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(
                () -> IntStream.range(0, CLIENTS).allMatch(i -> answered.get(i) > before[i] || clients.get(i).isDone()));
    }
}
