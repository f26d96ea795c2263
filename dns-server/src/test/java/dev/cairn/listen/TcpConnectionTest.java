package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.chain.Chain;
import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Route;
import dev.cairn.chain.Router;
import dev.cairn.chain.Step;
import dev.cairn.corefile.Transport;
import dev.cairn.plugin.ListenSettings;
import dev.cairn.testing.TcpClient;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** What a client sees of the time limits and of pipelining (RFC 7766), with limits of milliseconds where the directive has seconds. */
class TcpConnectionTest {
    private static final Duration NEVER = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final ListenSettings PATIENT = ListenSettings.DEFAULT.withTimeouts(NEVER, NEVER, NEVER);

    private final Engines engines = new Engines(Engines.Choice.AUTO);
    private final TextPlugin plugin = new TextPlugin();
    private final List<Listener> listeners = new ArrayList<>();

    @AfterEach
    void close() {
        listeners.forEach(listener -> listener.close(Duration.ZERO));
        engines.close();
    }

    @Test
    void aClientThatSendsNothingIsClosedAfterRead() throws Exception {
        try (TcpClient client = new TcpClient(listen(PATIENT.withTimeouts(SHORT, NEVER, NEVER)))) {
            assertThat(client.millisToClose()).isBetween(250L, 3000L);
        }
    }

    @Test
    void anIdleConnectionIsClosedAfterIdle() throws Exception {
        try (TcpClient client = new TcpClient(listen(PATIENT.withTimeouts(NEVER, NEVER, SHORT)))) {
            client.send(TcpClient.frames(query()));
            client.read();
            assertThat(client.millisToClose()).isBetween(250L, 3000L);
        }
    }

    @Test
    void aHalfSentQueryIsCutOffAfterReadHoweverLongIdleIs() throws Exception {
        try (TcpClient client = new TcpClient(listen(PATIENT.withTimeouts(SHORT, NEVER, NEVER)))) {
            client.send(TcpClient.frames(query()));
            client.read();
            client.send(Arrays.copyOf(TcpClient.frames(query()), 1));
            assertThat(client.millisToClose()).isBetween(250L, 3000L);
        }
    }

    @Test
    void drippingBytesDoesNotStretchTheTime() throws Exception {
        try (TcpClient client = new TcpClient(listen(PATIENT.withTimeouts(SHORT, NEVER, NEVER)))) {
            byte[] query = TcpClient.frames(query());
            AtomicInteger sent = new AtomicInteger();
            // One byte every 50 ms would take more than a second for the whole query.
            await().pollInterval(Duration.ofMillis(50)).atMost(Duration.ofSeconds(3)).until(() -> {
                try {
                    client.send(new byte[] {query[sent.getAndIncrement()]});
                    return sent.get() == query.length;
                } catch (IOException e) {
                    return true;
                }
            });
            assertThat(sent).hasValueLessThan(query.length);
        }
    }

    @Test
    void aClientThatNeverReadsIsCutOffAfterWriteAndNotReadMeanwhile() throws Exception {
        plugin.textLength = 20_000;
        try (TcpClient client = new TcpClient(listen(PATIENT.withTimeouts(NEVER, SHORT, NEVER)), 4096)) {
            byte[] queries = TcpClient.frames(Collections.nCopies(1000, query()).toArray(Message[]::new));
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < 1000; i++) {
                        client.send(queries);
                    }
                } catch (IOException e) {
                    // cut off, as the test wants
                }
            });
            assertThat(sender.join(Duration.ofSeconds(10))).as("cut off").isTrue();
            // 64 KiB in Netty's queue, and what the kernel's send buffer grows to.
            assertThat(plugin.answered).hasValueLessThan(500);
        }
    }

    @Test
    void aLongPipelineOfLargeRepliesIsAnsweredInFull() throws Exception {
        plugin.textLength = 2000;
        try (TcpClient client = new TcpClient(listen(ListenSettings.DEFAULT.withTimeouts(NEVER, Duration.ofSeconds(5), NEVER)))) {
            Message[] queries = queries(3000);
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    client.send(TcpClient.frames(queries));
                } catch (IOException e) {
                    // the replies will be missing
                }
            });
            for (Message query : queries) {
                Message reply = client.read();
                assertThat(reply.getHeader().getID()).isEqualTo(query.getHeader().getID());
                assertThat(reply.getSection(Section.ANSWER)).hasSize(1);
            }
            sender.join();
        }
    }

    @Test
    void lateAnswersArriveAndKeepTheConnectionFromIdling() throws Exception {
        plugin.later = true;
        try (TcpClient client = new TcpClient(listen(PATIENT.withTimeouts(NEVER, NEVER, SHORT)))) {
            client.send(TcpClient.frames(queries(600)));
            await().until(() -> plugin.kept() >= 256);
            List<Message> replies = new ArrayList<>();
            Thread reader = Thread.ofVirtual().start(() -> {
                try {
                    while (replies.size() < 600) {
                        replies.add(client.read());
                    }
                } catch (IOException e) {
                    // the replies will be missing
                }
            });
            await().atMost(Duration.ofSeconds(10)).until(() -> {
                plugin.answerKept();
                return !reader.isAlive();
            });
            assertThat(replies).hasSize(600);
            assertThat(client.millisToClose()).isBetween(150L, 3000L);
        }
    }

    @Test
    void theLastQueryAllowedIsAnsweredThoughMoreWereSent() throws Exception {
        plugin.textLength = 2000;
        try (TcpClient client = new TcpClient(listen(PATIENT.withMaxTcpQueries(50)))) {
            // More than one read takes in: what is left in the kernel must not make it throw the replies away.
            Message[] queries = queries(50_000);
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    client.send(TcpClient.frames(queries));
                } catch (IOException e) {
                    // closed by the server
                }
            });
            for (int i = 0; i < 50; i++) {
                assertThat(client.read().getHeader().getID()).isEqualTo(queries[i].getHeader().getID());
            }
            assertThat(client.millisToClose()).isLessThan(5000);
            sender.join();
            assertThat(plugin.answered).hasValue(50);
        }
    }

    @Test
    void whatIsNotDnsIsCutOff() throws Exception {
        try (TcpClient client = new TcpClient(listen(PATIENT))) {
            client.send(new byte[] {0, 5, 'H', 'E', 'L', 'L', 'O'});
            assertThat(client.millisToClose()).isLessThan(3000);
        }
    }

    @Test
    void aClosingListenerLetsPendingAnswersGoOut() throws Exception {
        plugin.later = true;
        int port = listen(PATIENT);
        try (TcpClient client = new TcpClient(port); TcpClient idle = new TcpClient(port)) {
            client.send(TcpClient.frames(query()));
            await().until(() -> plugin.kept() == 1);
            Thread closing = Thread.ofVirtual().start(() -> listeners.getFirst().close(Duration.ofSeconds(10)));
            assertThat(idle.millisToClose()).isLessThan(5000);
            plugin.answerKept();
            assertThat(client.read().getSection(Section.ANSWER)).hasSize(1);
            assertThat(client.millisToClose()).isLessThan(5000);
            assertThat(closing.join(Duration.ofSeconds(10))).isTrue();
        }
    }

    private int listen(ListenSettings settings) throws IOException {
        Route route = new Route("dns://test", WireName.ROOT, "", 0, false, new Chain(List.of(plugin)));
        ListenAddress address = new ListenAddress(Transport.DNS, "127.0.0.1", 0);
        Dispatcher dispatcher = new Dispatcher((_, thrown) -> {
            throw thrown;
        });
        Listener listener = engines.open(address, settings, new Router(List.of(route), route), dispatcher);
        listeners.add(listener);
        return listener.port();
    }

    private static Message query() throws IOException {
        return TestServer.query("example.org", Type.TXT);
    }

    private static Message[] queries(int count) throws IOException {
        Message query = query();
        return IntStream.range(0, count).mapToObj(i -> {
            Message copy = query.clone();
            copy.getHeader().setID(i & 0xffff);
            return copy;
        }).toArray(Message[]::new);
    }

    /** Answers with a text of the length wanted, at once or when told. */
    private static final class TextPlugin implements Plugin {
        private final AtomicInteger answered = new AtomicInteger();
        private final List<Exchange> kept = new ArrayList<>();
        private volatile int textLength = 10;
        private volatile boolean later;

        @Override
        public String name() {
            return "text";
        }

        @Override
        public Step query(Exchange exchange) {
            RrSet text = Rdata.single(WireName.ROOT, DnsType.TXT, 0, Rdata.txt("x".repeat(textLength)));
            exchange.answer().addForQuestion(text);
            answered.incrementAndGet();
            if (later) {
                synchronized (kept) {
                    kept.add(exchange);
                }
                return Step.LATER;
            }
            return Step.ANSWERED;
        }

        int kept() {
            synchronized (kept) {
                return kept.size();
            }
        }

        void answerKept() {
            List<Exchange> now;
            synchronized (kept) {
                now = List.copyOf(kept);
                kept.clear();
            }
            now.forEach(exchange -> exchange.resume(Step.ANSWERED));
        }
    }
}
