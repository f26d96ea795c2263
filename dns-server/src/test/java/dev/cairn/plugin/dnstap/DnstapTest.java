package dev.cairn.plugin.dnstap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Protocol;
import dev.cairn.chain.Step;
import dev.cairn.plugin.MessageTap;
import dev.cairn.plugin.metadata.MetadataSetup;
import dev.cairn.testing.TestCertificates;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.Rcode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

class DnstapTest {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    @TempDir
    Path directory;

    @SuppressWarnings("unchecked")
    static Map<Integer, Object> message(Map<Integer, Object> envelope) {
        assertThat(envelope.get(15)).as("type MESSAGE").isEqualTo(1L);
        return (Map<Integer, Object>) envelope.get(14);
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }

    private static long nanos(Map<Integer, Object> message, int seconds) {
        return (long) message.get(seconds) * 1_000_000_000 + (long) message.get(seconds + 1);
    }

    @Test
    void queriesAndRepliesAreToldWithTimesAddressesAndTheMessagesThemselves() throws Exception {
        Instant before = Instant.now();
        try (TapReceiver receiver = TapReceiver.unix(directory.resolve("tap"));
                TestServer server = TestServer.start(". {\n dnstap unix://" + receiver.address()
                        + " full {\n  identity me\n  version mine-1\n  extra \"type {type} {nonsense}\"\n }\n whoami\n}")) {
            Message query = TestServer.query("example.org", Type.A);
            Message reply = server.ask(query, false);
            await().until(() -> receiver.messages().size() == 2);
            Map<Integer, Object> envelope = receiver.messages().get(0);
            assertThat(text(envelope.get(1))).isEqualTo("me");
            assertThat(text(envelope.get(2))).isEqualTo("mine-1");
            assertThat(text(envelope.get(3))).isEqualTo("type A {nonsense}");

            Map<Integer, Object> asked = message(envelope);
            assertThat(asked).containsOnlyKeys(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
                    .containsEntry(1, 5L).containsEntry(2, 1L).containsEntry(3, 1L).containsEntry(7, (long) server.port());
            assertThat((byte[]) asked.get(4)).isEqualTo(LOOPBACK);
            assertThat((byte[]) asked.get(10)).isEqualTo(query.toWire());

            Map<Integer, Object> answered = message(receiver.messages().get(1));
            assertThat(answered).containsOnlyKeys(1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14).containsEntry(1, 6L)
                    .containsEntry(6, asked.get(6)).containsEntry(8, asked.get(8)).containsEntry(9, asked.get(9));
            assertThat(new Message((byte[]) answered.get(14)).toString()).isEqualTo(reply.toString());
            assertThat(nanos(answered, 12)).isGreaterThan(nanos(answered, 8));
            assertThat(Instant.ofEpochSecond(0, nanos(asked, 8))).isBetween(before.minusMillis(20), Instant.now().plusMillis(20));

            server.askTcp("example.org", Type.A);
            await().until(() -> receiver.messages().size() == 4);
            assertThat(message(receiver.messages().get(2))).containsEntry(3, 2L);
            server.server().stop();
            await().untilAsserted(() -> assertThat(receiver.events()).containsExactly("ready", "control 3"));
        }
    }

    @Test
    void whatIsSentOnToAnotherServerIsTold() throws Exception {
        try (TestServer upstream = TestServer.start(". {\n whoami\n}");
                TapReceiver receiver = TapReceiver.unix(directory.resolve("tap"));
                TestServer server = TestServer.start(". {\n dnstap unix://" + receiver.address() + " full\n forward . 127.0.0.1:" + upstream.port()
                        + "\n}")) {
            server.ask("example.org", Type.A);
            await().until(() -> receiver.messages().size() == 4);
            // Client query, forwarder query, forwarder response, client response, as dnstap.proto numbers them.
            assertThat(receiver.messages().stream().map(envelope -> message(envelope).get(1))).containsExactly(5L, 7L, 8L, 6L);
            Map<Integer, Object> asked = message(receiver.messages().get(1));
            assertThat(asked).containsEntry(7, (long) upstream.port());
            assertThat(new Message((byte[]) asked.get(10)).getQuestion().getName().toString()).isEqualTo("example.org.");
            assertThat(new Message((byte[]) message(receiver.messages().get(2)).get(14)).getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void severalSinksAreServedEachInItsWay() throws Exception {
        try (TapReceiver one = TapReceiver.unix(directory.resolve("one"));
                TapReceiver two = TapReceiver.tcp("tcp", new ServerSocket());
                TestServer server = TestServer.start(". {\n dnstap " + one.address() + "\n dnstap " + two.address() + " full\n whoami\n}")) {
            server.ask("example.org", Type.A);
            await().until(() -> one.messages().size() == 2 && two.messages().size() == 2);
            assertThat(message(one.messages().get(0))).doesNotContainKey(10);
            assertThat(message(one.messages().get(1))).doesNotContainKey(14);
            assertThat(message(two.messages().get(1))).containsKey(14);
            assertThat(text(one.messages().get(0).get(2))).startsWith("Cairn-");
        }
    }

    @Test
    void theSinkMayBeBehindTls() throws Exception {
        TestCertificates certificates = new TestCertificates(directory);
        SSLContext context = certificates.server(certificates.leaf("server", "EC"));
        try (TapReceiver receiver = TapReceiver.tcp("tls", context.getServerSocketFactory().createServerSocket());
                TestServer server = TestServer.start(
                        ". {\n dnstap " + receiver.address() + " {\n  skipverify\n }\n dnstap " + receiver.address() + "\n whoami\n}")) {
            server.ask("example.org", Type.A);
            await().until(() -> receiver.messages().size() == 2);
            await().until(() -> server.logLinesWith("No connection to dnstap endpoint").count() == 1);
        }
    }

    @Test
    void aSinkThatGoesAndComesIsFoundAgain() throws Exception {
        Path socket = directory.resolve("tap");
        try (TestServer server = TestServer.start(". {\n dnstap " + socket + "\n whoami\n}")) {
            server.ask("early.example", Type.A);
            await().until(() -> server.logLinesWith("No connection to dnstap endpoint: " + socket).count() == 1);
            try (TapReceiver receiver = TapReceiver.unix(socket)) {
                await().until(() -> receiver.messages().size() == 2);
                receiver.cut();
                await().until(() -> {
                    server.ask("later.example", Type.A);
                    return receiver.messages().size() > 4;
                });
            }
            assertThat(server.logLinesWith("connection to " + socket + " lost")).isNotEmpty();
            assertThat(server.metrics()).contains("cairn_dnstap_dropped_messages_total{sink=\"" + socket + "\"}");
        }
    }

    @Test
    void queriesThatAreDroppedHaveNoReplyAndForwardersCanTellOfTheirs() throws Exception {
        Plugin below = new Plugin() {
            @Override
            public String name() {
                return "below";
            }

            @Override
            public Step query(Exchange exchange) {
                if (exchange.query().type() == Type.TXT) {
                    return Step.DROPPED;
                }
                MessageTap tap = exchange.route().chain().plugins().stream()
                        .filter(MessageTap.class::isInstance).map(MessageTap.class::cast).findFirst().orElseThrow();
                InetSocketAddress upstream = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.53"), 53);
                tap.forwarded(exchange, false, upstream, Protocol.UDP, System.nanoTime(), new byte[] {9, 1, 2}, 1, 2);
                tap.forwarded(exchange, true, upstream, Protocol.UDP, System.nanoTime(), new byte[] {3}, 0, 1);
                return exchange.refuse(Rcode.REFUSED);
            }
        };
        try (TapReceiver receiver = TapReceiver.unix(directory.resolve("tap"));
                TestChain chain = new TestChain("metadata\n dnstap " + receiver.address() + " full {\n extra {/none/such}\n }",
                        List.of(new MetadataSetup(), new DnstapSetup()), below)) {
            chain.handle(new Exchange(), TestServer.query("example.org", Type.TXT).toWire(), (_, _, _) -> {});
            chain.ask(TestServer.query("example.org", Type.A));
            await().until(() -> receiver.messages().size() == 5);
            assertThat(receiver.messages().stream().map(each -> message(each).get(1))).containsExactly(5L, 5L, 7L, 8L, 6L);
            assertThat(text(receiver.messages().get(0).get(3))).isEqualTo("-");
            Map<Integer, Object> sent = message(receiver.messages().get(2));
            assertThat((byte[]) sent.get(5)).isEqualTo(new byte[] {(byte) 192, 0, 2, 53});
            assertThat((byte[]) sent.get(10)).isEqualTo(new byte[] {1, 2});
            assertThat((byte[]) message(receiver.messages().get(3)).get(14)).isEqualTo(new byte[] {3});
        }
    }

    @Test
    void mistakesAreTold() throws Exception {
        assertThat(TestServer.errorsOf("""
                . {
                    dnstap
                    dnstap tcp://nowhere
                    dnstap /tmp/tap some
                    dnstap /tmp/tap full 0 5000
                    dnstap /tmp/tap {
                        identity
                        indentity me
                    }
                }
                """)).hasSize(7).satisfiesExactly(
                one -> assertThat(one).contains("Corefile:2", "wants 1 to 4 arguments"),
                one -> assertThat(one).contains("Corefile:3", "tcp://HOST:PORT"),
                one -> assertThat(one).contains("Corefile:4", "\"some\" is not known here"),
                one -> assertThat(one).contains("Corefile:5", "\"0\" is not a whole number from 1 to 1024"),
                one -> assertThat(one).contains("Corefile:5", "\"5000\" is not a whole number from 1 to 4096"),
                one -> assertThat(one).contains("identity: wants 1 argument"),
                one -> assertThat(one).contains("did you mean identity?"));
    }
}
