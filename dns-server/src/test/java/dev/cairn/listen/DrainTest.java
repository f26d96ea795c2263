package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.corefile.Transport;
import dev.cairn.listen.connection.Service;
import dev.cairn.metrics.MetricRegistry;
import dev.cairn.plugin.ListenSettings;
import dev.cairn.testing.RawClient;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.Rcode;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/** Sockets that are told to close give those an answer whose query a plugin has, as forward has while it waits for an upstream. */
class DrainTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    /** Longer than a socket has to be quiet to be closed. */
    private static final Duration WHILE = Duration.ofMillis(600);

    /** Keeps each query until it is told to answer. */
    private static final class Keeper implements Plugin {
        private final BlockingQueue<Exchange> kept = new LinkedBlockingQueue<>();

        @Override
        public String name() {
            return "keeper";
        }

        @Override
        public Step query(Exchange exchange) {
            kept.add(exchange);
            return Step.LATER;
        }

        void answer() throws InterruptedException {
            Exchange exchange = kept.poll(2, TimeUnit.MINUTES);
            if (exchange == null) {
                throw new AssertionError("no query came");
            }
            exchange.resume(exchange.refuse(Rcode.NXDOMAIN));
        }
    }

    private final Keeper keeper = new Keeper();

    private static Listener listen(Engines engines, int port, TestChain chain) throws IOException {
        return engines.open(new ListenAddress(Transport.DNS, "127.0.0.1", port), ListenSettings.DEFAULT.withSockets(2), chain.router(), chain.dispatcher());
    }

    private static RawClient client(int port) throws IOException {
        return new RawClient(InetAddress.getLoopbackAddress(), port);
    }

    private static byte[] query() throws IOException {
        return TestServer.query("a.org.", Type.A).toWire();
    }

    private static int rcode(RawClient client, boolean overTcp) throws IOException {
        return new Message(client.receive(overTcp)).getRcode();
    }

    private static Thread closing(Listener listener) {
        return Thread.ofPlatform().start(() -> listener.close(LONG));
    }

    private static void awaitEnd(Thread closing) throws InterruptedException {
        closing.join(LONG);
        assertThat(closing.isAlive()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"FFM, false", "EPOLL, false", "NIO, false", "AUTO, true"})
    void aQueryThatIsKeptIsAnsweredBeforeTheSocketIsClosed(Engines.Choice engine, boolean overTcp) throws Exception {
        try (TestChain chain = new TestChain("", List.of(), keeper); Engines engines = new Engines(engine)) {
            Listener listener = listen(engines, 0, chain);
            try (RawClient client = client(listener.port())) {
                client.send(overTcp, query());
                await().until(() -> keeper.kept.size() == 1);
                Thread closing = closing(listener);
                await().during(WHILE).until(closing::isAlive);
                keeper.answer();
                assertThat(rcode(client, overTcp)).isEqualTo(Rcode.NXDOMAIN);
                awaitEnd(closing);
            }
        }
    }

    /** The loop is about to look whether it may close when the reply is handed to it, and sends it after that. */
    @Test
    void aReplyThatIsOnItsWayToTheLoopIsSentBeforeTheSocketIsClosed() throws Exception {
        try (TestChain chain = new TestChain("", List.of(), keeper); Loops loops = new Loops(Loops.epollAvailable(), false, 1)) {
            Service service = new Service("test", chain.dispatcher(), new MetricRegistry(), chain.router(), ListenSettings.DEFAULT);
            UdpEngine.Sockets sockets = new NettyUdpEngine(loops).open(new ListenAddress(Transport.DNS, "127.0.0.1", 0), 0, 1, service);
            try (DatagramSocket client = new DatagramSocket()) {
                client.connect(InetAddress.getLoopbackAddress(), sockets.port());
                client.setSoTimeout(Math.toIntExact(LONG.toMillis()));
                byte[] query = query();
                client.send(new DatagramPacket(query, query.length));
                await().until(() -> keeper.kept.size() == 1);
                await().during(WHILE).until(() -> true); // until the socket counts as quiet
                CountDownLatch goOn = new CountDownLatch(1);
                Future<?> busy = loops.group().submit(() -> goOn.await(2, TimeUnit.MINUTES));
                Thread closing = Thread.ofPlatform().start(() -> sockets.drain(LONG));
                await().until(() -> closing.getState() == Thread.State.WAITING);
                keeper.answer();
                goOn.countDown();
                busy.get(2, TimeUnit.MINUTES);
                DatagramPacket reply = new DatagramPacket(new byte[512], 512);
                client.receive(reply);
                assertThat(new Message(Arrays.copyOf(reply.getData(), reply.getLength())).getRcode()).isEqualTo(Rcode.NXDOMAIN);
                awaitEnd(closing);
            }
        }
    }

    /** As a node's cache is replaced: both have the port, the new one gets what comes, and the old one answers what it has. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aQueryThatIsKeptIsAnsweredWhileAnotherProcessTakesOver(boolean overTcp) throws Exception {
        Keeper next = new Keeper();
        try (TestChain chain = new TestChain("", List.of(), keeper);
                TestChain nextChain = new TestChain("", List.of(), next);
                Engines engines = new Engines(Engines.Choice.FFM, true);
                Engines nextEngines = new Engines(Engines.Choice.FFM, true)) {
            Listener before = listen(engines, 0, chain);
            try (RawClient client = client(before.port())) {
                client.send(overTcp, query());
                await().until(() -> keeper.kept.size() == 1);
                Listener after = listen(nextEngines, before.port(), nextChain);
                Thread closing = closing(before);
                await().during(WHILE).until(closing::isAlive);
                keeper.answer();
                assertThat(rcode(client, overTcp)).isEqualTo(Rcode.NXDOMAIN);
                awaitEnd(closing);
                client.send(false, query());
                next.answer();
                assertThat(rcode(client, false)).isEqualTo(Rcode.NXDOMAIN);
                after.close(Duration.ZERO);
            }
        }
    }
}
