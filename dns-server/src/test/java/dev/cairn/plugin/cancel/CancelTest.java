package dev.cairn.plugin.cancel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.FinishHook;
import dev.cairn.chain.Step;
import dev.cairn.corefile.Transport;
import dev.cairn.listen.Engines;
import dev.cairn.listen.ListenAddress;
import dev.cairn.listen.Listener;
import dev.cairn.plugin.ListenSettings;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.Rcode;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

class CancelTest {
    /** Keeps every query, and counts those that come to their end. */
    private static final class Keeper implements FinishHook {
        final BlockingQueue<Exchange> kept = new LinkedBlockingQueue<>();
        final AtomicInteger finished = new AtomicInteger();
        volatile int lastRcode;

        @Override
        public String name() {
            return "keeper";
        }

        @Override
        public Step query(Exchange exchange) {
            kept.add(exchange);
            return Step.LATER;
        }

        @Override
        public void finished(Exchange exchange) {
            lastRcode = exchange.answer().rcode();
            finished.incrementAndGet();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClientGetsServfailWhenTheAnswerDoesNotComeInTime(boolean tcp) throws Exception {
        Keeper keeper = new Keeper();
        Engines engines = new Engines(Engines.Choice.AUTO);
        try (TestChain chain = new TestChain("cancel 50ms", List.of(new CancelSetup()), keeper)) {
            Listener listener = engines.open(
                    new ListenAddress(Transport.DNS, "127.0.0.1", 0), ListenSettings.DEFAULT, chain.router(), chain.dispatcher());
            SimpleResolver resolver = new SimpleResolver(InetAddress.getLoopbackAddress());
            resolver.setPort(listener.port());
            resolver.setTCP(tcp);
            resolver.setTimeout(Duration.ofMinutes(2));
            Message reply = resolver.send(TestServer.query("Late.example.org", Type.A));
            assertThat(reply.getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(reply.getQuestion().getName()).hasToString("Late.example.org.");
            assertThat(keeper.finished).hasValue(1);
            assertThat(keeper.lastRcode).isEqualTo(Rcode.SERVFAIL);
            listener.close(Duration.ZERO);
        } finally {
            engines.close();
        }
    }

    @Test
    void anAnswerAfterTheDeadlineGoesNowhere() throws Exception {
        Keeper keeper = new Keeper();
        AtomicInteger replies = new AtomicInteger();
        try (TestChain chain = new TestChain("cancel 1ms", List.of(new CancelSetup()), keeper)) {
            chain.handle(new Exchange(), TestServer.query("example.org", Type.A).toWire(), (_, _, _) -> replies.incrementAndGet());
            await().until(() -> keeper.finished.get() == 1 && replies.get() == 1);
            Exchange kept = keeper.kept.remove();
            assertThat(kept.isSettled()).isTrue();
            kept.answer().rcode(Rcode.NXDOMAIN);
            kept.resume(Step.ANSWERED);
            assertThat(replies).hasValue(1);
            assertThat(keeper.finished).hasValue(1);
        }
    }

    @Test
    void anAnswerInTimeIsTheOnlyOne() throws Exception {
        Keeper keeper = new Keeper();
        AtomicInteger replies = new AtomicInteger();
        try (TestChain chain = new TestChain("cancel 1h", List.of(new CancelSetup()), keeper)) {
            chain.handle(new Exchange(), TestServer.query("example.org", Type.A).toWire(), (_, _, _) -> replies.incrementAndGet());
            Exchange kept = keeper.kept.remove();
            assertThat(kept.hasDeadline()).isTrue();
            assertThat(kept.deadlineNanos() - kept.startNanos()).isEqualTo(TimeUnit.HOURS.toNanos(1));
            kept.refuse(Rcode.NXDOMAIN);
            kept.resume(Step.ANSWERED);
            assertThat(replies).hasValue(1);
            assertThat(keeper.lastRcode).isEqualTo(Rcode.NXDOMAIN);
        }
    }

    @Test
    void deadlineAndAnswerNeverBothReply() throws Exception {
        int queries = 5_000;
        Keeper keeper = new Keeper();
        AtomicIntegerArray replies = new AtomicIntegerArray(queries);
        try (TestChain chain = new TestChain("cancel 1ms", List.of(new CancelSetup()), keeper)) {
            Thread answering = Thread.ofPlatform().start(() -> answerAtTheDeadline(keeper.kept, queries));
            byte[] packet = TestServer.query("example.org", Type.A).toWire();
            for (int i = 0; i < queries; i++) {
                int index = i;
                chain.handle(new Exchange(), packet, (_, _, _) -> replies.incrementAndGet(index));
            }
            answering.join();
            await().until(() -> keeper.finished.get() >= queries);
            List<Integer> counts = new ArrayList<>();
            for (int i = 0; i < queries; i++) {
                counts.add(replies.get(i));
            }
            assertThat(counts).containsOnly(1);
            assertThat(keeper.finished).hasValue(queries);
        }
    }

    private static void answerAtTheDeadline(BlockingQueue<Exchange> kept, int queries) {
        try {
            for (int i = 0; i < queries; i++) {
                Exchange exchange = kept.take();
                while (System.nanoTime() - exchange.deadlineNanos() < 0) {
                    Thread.onSpinWait();
                }
                exchange.refuse(Rcode.NXDOMAIN);
                exchange.resume(Step.ANSWERED);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cancel", "cancel 1s"})
    void answersGivenAtOnceAreNotTouched(String directive) throws Exception {
        try (TestServer server = TestServer.start(". {\n " + directive + "\n whoami\n}")) {
            assertThat(server.ask("example.org", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @ParameterizedTest
    @CsvSource({"cancel 5,has no unit", "cancel -1s,out of range", "cancel 0s,out of range", "cancel 1s 2s,write: cancel [TIMEOUT]"})
    void mistakesAreToldWithTheWayOut(String directive, String part) throws Exception {
        assertThat(TestServer.errorsOf(". {\n " + directive + "\n whoami\n}")).singleElement().asString()
                .startsWith("Corefile:2: plugin/cancel: ").contains(part);
    }
}
