package dev.cairn.plugin.forward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.RawClient;
import dev.cairn.testing.ScriptedUpstream;
import dev.cairn.testing.ScriptedUpstream.Asked;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/** How sockets and connections are used again, and when they are not. */
class ConnectionsTest {
    private static final String GOOD = "192.0.2.1";

    @Test
    void queriesComeFromManyPortsWithManyIds() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address(GOOD));
                TestServer server = ForwardTest.servingByOneLane(upstream.address(), "expire 1h")) {
            for (int i = 0; i < 60; i++) {
                server.ask("a" + i + ".org.", Type.A);
            }
            assertThat(upstream.asked().stream().map(Asked::clientPort).collect(Collectors.toSet())).hasSize(8);
            assertThat(upstream.asked().stream().map(asked -> asked.query().getHeader().getID()).collect(Collectors.toSet())).hasSizeGreaterThan(55);
            assertThat(server.metrics())
                    .contains("coredns_proxy_conn_cache_hits_total{proto=\"udp\",proxy_name=\"forward\",to=\"" + upstream.address() + "\"} 52");
        }
    }

    @Test
    void portsAreGivenUpAfterAWhile() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address(GOOD));
                TestServer server = ForwardTest.serving(upstream.address(), "expire 50ms")) {
            Set<Integer> ports = ConcurrentHashMap.newKeySet();
            Awaitility.await().until(() -> {
                server.ask("a.org.", Type.A);
                upstream.asked().forEach(asked -> ports.add(asked.clientPort()));
                return ports.size() > 20;
            });
        }
    }

    @Test
    void aConnectionIsUsedAgainAndCarriesSeveralQueriesAtOnce() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address(GOOD));
                TestServer server = ForwardTest.servingByOneLane(upstream.address(), "force_tcp", "expire 1h")) {
            for (int i = 0; i < 10; i++) {
                assertThat(TestServer.answers(server.ask("a" + i + ".org.", Type.A))).hasSize(1);
            }
            assertThat(upstream.connections()).isEqualTo(1);
            CountDownLatch all = new CountDownLatch(6);
            upstream.script(asked -> {
                all.countDown();
                all.await();
                return List.of(asked.reply(asked.name() + " 60 A " + GOOD).toWire());
            });
            List<Thread> clients = new ArrayList<>();
            Set<String> answered = ConcurrentHashMap.newKeySet();
            for (int i = 0; i < 6; i++) {
                String name = "b" + i + ".org.";
                clients.add(Thread.ofVirtual().start(() -> {
                    try {
                        answered.addAll(TestServer.answers(server.ask(name, Type.A)));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }));
            }
            for (Thread client : clients) {
                client.join();
            }
            assertThat(answered).hasSize(6);
            assertThat(upstream.connections()).isEqualTo(1);
        }
    }

    @Test
    void aConnectionThatTheUpstreamClosedIsReplacedUnseenByTheClient() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address(GOOD));
                TestServer server = ForwardTest.serving(upstream.address(), "force_tcp", "max_connect_attempts 1")) {
            server.ask("a.org.", Type.A);
            for (int i = 0; i < 5; i++) {
                upstream.hangUp();
                assertThat(TestServer.answers(server.ask("b" + i + ".org.", Type.A))).hasSize(1);
            }
            assertThat(server.metrics()).doesNotContain("coredns_proxy_healthcheck_failures_total{");
        }
    }

    @Test
    void anIdleConnectionIsClosed() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address(GOOD));
                TestServer server = ForwardTest.serving(upstream.address(), "force_tcp", "expire 20ms")) {
            assertThat(TestServer.answers(server.ask("a.org.", Type.A))).hasSize(1);
            Awaitility.await().until(() -> upstream.openConnections() == 0);
        }
    }

    /** It is never idle, unless the machine stands still for a second. */
    @Test
    void aConnectionInUseIsGivenUpAtItsAge() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address(GOOD));
                TestServer server = ForwardTest.servingByOneLane(upstream.address(), "force_tcp", "expire 1s", "max_age 1s")) {
            Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> {
                assertThat(TestServer.answers(server.ask("a.org.", Type.A))).hasSize(1);
                return upstream.connections() > 1;
            });
            Awaitility.await().until(() -> upstream.openConnections() <= 1);
        }
    }

    @Test
    void noMoreIdleConnectionsAreKeptThanAllowed() throws Exception {
        int queries = 20;
        CountDownLatch all = new CountDownLatch(queries);
        ScriptedUpstream.Script script = asked -> {
            all.countDown();
            all.await();
            return List.of(asked.reply(asked.name() + " 60 A " + GOOD).toWire());
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script);
                TestServer server = ForwardTest.servingByOneLane(upstream.address(), "force_tcp", "expire 1h", "max_idle_conns 1");
                RawClient client = RawClient.to(server)) {
            for (int i = 0; i < queries; i++) {
                client.send(false, TestServer.query("a" + i + ".org.", Type.A).toWire());
            }
            for (int i = 0; i < queries; i++) {
                assertThat(TestServer.answers(new Message(client.receive(false)))).hasSize(1);
            }
            assertThat(upstream.connections()).as("a connection carries 8").isGreaterThan(1);
            Awaitility.await().until(() -> upstream.openConnections() == 1);
        }
    }

    @Test
    void aReloadLeavesNoQueryWithoutAnAnswer() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address(GOOD)); TestServer server = ForwardTest.serving(upstream.address())) {
            for (int i = 0; i < 5; i++) {
                assertThat(TestServer.answers(server.ask("a" + i + ".org.", Type.A))).hasSize(1);
                assertThat(server.reload(ForwardTest.corefile(upstream.address(), "max_concurrent " + (100 + i)))).isTrue();
                assertThat(TestServer.answers(server.ask("b" + i + ".org.", Type.A))).hasSize(1);
            }
        }
    }
}
