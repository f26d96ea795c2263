package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.RawClient;
import dev.cairn.testing.ScriptedUpstream;
import dev.cairn.testing.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** A server that is told to stop gives those an answer whose query is with an upstream. */
class DrainTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    private final CountDownLatch go = new CountDownLatch(1);

    private ScriptedUpstream late() throws Exception {
        return ScriptedUpstream.start(asked -> {
            go.await();
            return List.of(asked.reply(asked.name() + " 60 A 192.0.2.1").toWire());
        });
    }

    /** The fourth second is not waited for by the client of a stopping server: {@code read_timeout} is as long as can be. */
    private static String corefile(String zone, ScriptedUpstream upstream) {
        return zone + " {\n bind 127.0.0.1\n forward . " + upstream.address() + " {\n read_timeout 1h\n max_fails 0\n }\n}";
    }

    @ParameterizedTest
    @CsvSource({"FFM, false", "FFM, true", "EPOLL, false", "NIO, false", "AUTO, true"})
    void aForwardedQueryIsAnsweredWhileTheServerStops(Engines.Choice engine, boolean overTcp) throws Exception {
        try (ScriptedUpstream upstream = late();
                TestServer server = TestServer.start(corefile(".", upstream), engine);
                RawClient client = RawClient.to(server)) {
            client.send(overTcp, TestServer.query("a.org.", Type.A).toWire());
            await().until(() -> upstream.asked().size() == 1);
            Thread stop = Thread.ofPlatform().start(() -> server.server().stop(LONG));
            // Longer than a socket has to be quiet to be closed.
            await().during(Duration.ofMillis(600)).until(stop::isAlive);
            go.countDown();
            assertThat(TestServer.answers(new Message(client.receive(overTcp)))).hasSize(1);
            stop.join(LONG);
            assertThat(stop.isAlive()).isFalse();
        }
    }

    /** As a node's cache is replaced: both have the port, the new one gets what comes, and the old one answers what it has. */
    @Test
    void aForwardedQueryIsAnsweredWhileAnotherServerTakesOver() throws Exception {
        try (ScriptedUpstream upstream = late();
                TestServer before = TestServer.start(corefile(".:0", upstream), new Engines(Engines.Choice.FFM, true));
                RawClient client = RawClient.to(before)) {
            int port = before.port();
            client.send(false, TestServer.query("a.org.", Type.A).toWire());
            client.send(true, TestServer.query("b.org.", Type.A).toWire());
            await().until(() -> upstream.asked().size() == 2);
            try (TestServer after = TestServer.start(".:" + port + " {\n bind 127.0.0.1\n whoami\n}", new Engines(Engines.Choice.FFM, true))) {
                Thread stop = Thread.ofPlatform().start(() -> before.server().stop(LONG));
                await().during(Duration.ofMillis(600)).until(stop::isAlive);
                go.countDown();
                assertThat(TestServer.answers(new Message(client.receive(false)))).hasSize(1);
                assertThat(TestServer.answers(new Message(client.receive(true)))).hasSize(1);
                stop.join(LONG);
                assertThat(stop.isAlive()).isFalse();
                assertThat(after.ask("c.org.", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
            }
        }
    }
}
