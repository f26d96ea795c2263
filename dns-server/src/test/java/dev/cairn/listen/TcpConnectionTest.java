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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * What a client sees of the time limits and of pipelining (RFC 7766), with limits of milliseconds where the directive has seconds. A limit that
 * is not meant is a day, so that a connection can end by what is meant only, however slow the machine is.
 */
class TcpConnectionTest {
    private static final Duration NEVER = Duration.ofDays(1);
    private static final Duration SHORT = Duration.ofMillis(300);

    /** Long enough for a busy machine to do something meanwhile. */
    private static final Duration LONGER = Duration.ofSeconds(2);

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final ListenSettings PATIENT = ListenSettings.DEFAULT.withTimeouts(NEVER, NEVER, NEVER);

    private Engines engines = new Engines(Engines.Choice.AUTO);
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
            assertThat(client.millisToClose()).isGreaterThanOrEqualTo(SHORT.toMillis());
        }
    }

    @Test
    void anIdleConnectionIsClosedAfterIdle() throws Exception {
        try (TcpClient client = new TcpClient(listen(PATIENT.withTimeouts(NEVER, NEVER, SHORT)))) {
            client.send(TcpClient.frames(query()));
            client.read();
            assertThat(client.millisToClose()).isGreaterThanOrEqualTo(SHORT.toMillis());
        }
    }

    @Test
    void aHalfSentQueryIsCutOffAfterReadHoweverLongIdleIs() throws Exception {
        byte[] query = TcpClient.frames(query());
        try (TcpClient client = new TcpClient(listen(PATIENT.withTimeouts(LONGER, NEVER, NEVER)))) {
            client.send(query);
            client.read();
            client.send(Arrays.copyOf(query, 1));
            assertThat(client.millisToClose()).isGreaterThanOrEqualTo(LONGER.toMillis());
        }
    }

    @Test
    void drippingBytesDoesNotStretchTheTime() throws Exception {
        try (TcpClient client = new TcpClient(listen(PATIENT.withTimeouts(SHORT, NEVER, NEVER)))) {
            client.send(new byte[] {-1, -1}); // so many bytes will not be there in an hour
            await().pollInterval(Duration.ofMillis(50)).until(() -> {
                try {
                    client.send(new byte[1]);
                    return false;
                } catch (IOException e) {
                    return true;
                }
            });
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
            assertThat(sender.join(PATIENCE)).as("cut off").isTrue();
            // 64 KiB in Netty's queue, and what the kernel's send buffer grows to.
            assertThat(plugin.answered).hasValueLessThan(500);
        }
    }

    @Test
    void aLongPipelineOfLargeRepliesIsAnsweredInFull() throws Exception {
        plugin.textLength = 2000;
        try (TcpClient client = new TcpClient(listen(PATIENT.withTimeouts(NEVER, Duration.ofSeconds(30), NEVER)))) {
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
        try (TcpClient client = new TcpClient(listen(PATIENT.withTimeouts(NEVER, NEVER, LONGER)))) {
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
            AtomicLong lastAnswered = new AtomicLong();
            await().until(() -> {
                if (plugin.kept() > 0) {
                    lastAnswered.set(System.nanoTime());
                    plugin.answerKept();
                }
                return !reader.isAlive();
            });
            assertThat(replies).hasSize(600);
            client.millisToClose();
            assertThat(Duration.ofNanos(System.nanoTime() - lastAnswered.get())).as("idle from the last reply on").isGreaterThanOrEqualTo(LONGER);
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
            client.millisToClose();
            sender.join();
            assertThat(plugin.answered).hasValue(50);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "NIO"})
    void aClientThatShutsDownItsSideGetsItsReplies(Engines.Choice choice) throws Exception {
        use(choice);
        try (TcpClient client = new TcpClient(listen(PATIENT))) {
            client.send(TcpClient.frames(queries(3)));
            client.endSending();
            for (int i = 0; i < 3; i++) {
                assertThat(client.read().getHeader().getID()).isEqualTo(i);
            }
            client.millisToClose();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "NIO"})
    void aClientThatShutsDownItsSideGetsRepliesThatTakeTheirTime(Engines.Choice choice) throws Exception {
        use(choice);
        plugin.later = true;
        try (TcpClient client = new TcpClient(listen(PATIENT))) {
            client.send(TcpClient.frames(queries(600))); // more than plugins are given at once
            client.endSending();
            Thread answering = Thread.ofVirtual().start(() -> await().until(() -> {
                plugin.answerKept();
                return plugin.answered.get() == 600 && plugin.kept() == 0;
            }));
            for (int i = 0; i < 600; i++) {
                assertThat(client.read().getHeader().getID()).isEqualTo(i);
            }
            client.millisToClose();
            answering.join();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "NIO"})
    void aClientThatLeavesWithoutAQueryOrAfterAReplyIsClosedAtOnce(Engines.Choice choice) throws Exception {
        use(choice);
        int port = listen(PATIENT);
        try (TcpClient silent = new TcpClient(port); TcpClient half = new TcpClient(port); TcpClient served = new TcpClient(port)) {
            silent.endSending();
            silent.millisToClose();
            half.send(new byte[] {0, 40, 1});
            half.endSending();
            half.millisToClose();
            served.send(TcpClient.frames(query()));
            served.read();
            served.endSending();
            served.millisToClose();
        }
    }

    @Test
    void whatIsNotDnsIsCutOff() throws Exception {
        try (TcpClient client = new TcpClient(listen(PATIENT))) {
            client.send(new byte[] {0, 5, 'H', 'E', 'L', 'L', 'O'});
            client.millisToClose();
        }
    }

    @Test
    void aClosingListenerLetsPendingAnswersGoOut() throws Exception {
        plugin.later = true;
        int port = listen(PATIENT);
        try (TcpClient client = new TcpClient(port); TcpClient idle = new TcpClient(port)) {
            client.send(TcpClient.frames(query()));
            await().until(() -> plugin.kept() == 1);
            Thread closing = Thread.ofVirtual().start(() -> listeners.getFirst().close(PATIENCE));
            idle.millisToClose();
            plugin.answerKept();
            assertThat(client.read().getSection(Section.ANSWER)).hasSize(1);
            client.millisToClose();
            assertThat(closing.join(PATIENCE)).isTrue();
        }
    }

    private void use(Engines.Choice choice) {
        engines.close();
        engines = new Engines(choice);
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
