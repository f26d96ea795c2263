package dev.cairn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.listen.Engines;
import dev.cairn.testing.RawClient;
import dev.cairn.testing.ScriptedUpstream;
import dev.cairn.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

class ReloadUnderLoadTest {
    private static final int RELOADS = 100;

    /** Each is asked over UDP and over TCP. */
    private static final List<String> NAMES = List.of("example.org", "www.forwarded.org", "web.shop.svc.cluster.local");

    private static final int CLIENTS = 2 * NAMES.size();

    @TempDir
    Path manifests;

    private String corefile(int round, ScriptedUpstream upstream) {
        return """
                example.org example-%d.net {
                    whoami
                }
                forwarded.org {
                    forward . %s
                }
                cluster.local {
                    kubernetes cluster.local {
                        manifests %s
                    }
                }
                """.formatted(round, upstream.address(), manifests);
    }

    /** A client that loses one query gets a timeout, which fails it; none of them ever sends a query twice. */
    @ParameterizedTest
    @EnumSource(value = Engines.Choice.class, names = {"FFM", "EPOLL"})
    void noQueryIsLostAcrossAHundredReloads(Engines.Choice engine) throws Exception {
        Files.writeString(manifests.resolve("cluster.yaml"), """
                apiVersion: v1
                kind: Service
                metadata: {name: web, namespace: shop}
                spec: {clusterIP: 10.96.0.10, ports: [{port: 80}]}
                """);
        AtomicBoolean done = new AtomicBoolean();
        AtomicIntegerArray answered = new AtomicIntegerArray(CLIENTS);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address("192.0.2.1"));
                TestServer server = TestServer.start(corefile(0, upstream), engine);
                ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            Awaitility.await().until(() -> server.ask(NAMES.getLast(), Type.A).getRcode() == 0); // the cluster is known
            List<Future<@Nullable Void>> asked = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int self = i;
                boolean tcp = i % 2 == 1;
                byte[] query = TestServer.query(NAMES.get(i / 2), Type.A).toWire();
                Callable<@Nullable Void> client = () -> {
                    try (RawClient raw = RawClient.to(server)) {
                        while (!done.get()) {
                            byte[] reply = raw.ask(tcp, query);
                            assertThat(reply[3] & 15).as(NAMES.get(self / 2)).isZero();
                            answered.incrementAndGet(self);
                        }
                    }
                    return null;
                };
                asked.add(clients.submit(client));
            }
            try {
                for (int i = 1; i <= RELOADS; i++) {
                    awaitEachAnswered(answered, asked);
                    assertThat(server.reload(corefile(i, upstream))).isTrue();
                }
            } finally {
                done.set(true);
            }
            for (Future<@Nullable Void> client : asked) {
                assertThat(client.get()).isNull(); // throws what the client met
            }
        }
    }

    /** The question for AAAA is with the upstream while the reload happens; the one for A follows when the new configuration serves already. */
    @ParameterizedTest
    @EnumSource(value = Engines.Choice.class, names = {"FFM", "EPOLL"})
    void aQueryThatIsUnderWayIsAnsweredByThePluginsItCameTo(Engines.Choice engine) throws Exception {
        CountDownLatch reloaded = new CountDownLatch(1);
        ScriptedUpstream.Script script = asked -> {
            if (asked.type() == Type.A) {
                return List.of(asked.reply(asked.name() + " 60 A 192.0.2.1").toWire());
            }
            reloaded.await();
            return List.of(asked.reply().toWire());
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script);
                TestServer server = TestServer.start(". {\n dns64 {\n allow_ipv4\n }\n forward . " + upstream.address() + " {\n read_timeout 1h\n }\n}", engine);
                RawClient client = RawClient.to(server)) {
            client.send(false, TestServer.query("a.org", Type.AAAA).toWire());
            Awaitility.await().until(() -> !upstream.asked().isEmpty());
            CompletableFuture<Boolean> reload = CompletableFuture.supplyAsync(() -> server.reload("new.org {\n whoami\n}"),
                    task -> Thread.ofPlatform().start(task));
            Awaitility.await().until(() -> server.ask("new.org", Type.A).getRcode() == 0);
            reloaded.countDown();
            assertThat(TestServer.answers(new Message(client.receive(false)))).containsExactly("a.org. 60 IN AAAA 64:ff9b:0:0:0:0:c000:201");
            assertThat(reload.get(2, TimeUnit.MINUTES)).isTrue();
        }
    }

    /** Lets every client get at least one more answer, so that all of them are at work during every reload. */
    private static void awaitEachAnswered(AtomicIntegerArray answered, List<Future<@Nullable Void>> clients) {
        int[] before = IntStream.range(0, CLIENTS).map(answered::get).toArray();
        Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(
                () -> IntStream.range(0, CLIENTS).allMatch(i -> answered.get(i) > before[i] || clients.get(i).isDone()));
    }
}
