package dev.cairn.plugin.cache;

import static dev.cairn.plugin.cache.CacheServer.NAME;
import static dev.cairn.testing.TestServer.answers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Step;
import dev.cairn.plugin.cancel.CancelSetup;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.QueryView;
import dev.cairn.wire.Rcode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;

/** Identical questions while one of them is on its way. */
@Timeout(300)
class FlightTest {
    private static final String A = "an www.example.org. 300 IN A 10.0.0.1";

    private static void awaitWaiters(CacheServer server, int count) {
        await().until(() -> server.metric("misses_total", "") == count);
    }

    private static void awaitHeld(CacheServer server, int count) {
        await().until(() -> server.upstream.held.size() == count);
    }

    private static Message of(CompletableFuture<Message> reply) throws Exception {
        return reply.get(2, TimeUnit.MINUTES);
    }

    @Test
    void oneQuestionGoesDownForAllWhoAskTheSame() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.hold();
            server.upstream.reply(Rcode.NOERROR, A);
            List<CompletableFuture<Message>> replies = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                replies.add(server.asking(CacheServer.query(NAME), i % 2 == 0));
            }
            CompletableFuture<Message> other = server.asking(CacheServer.query("other.example.org"), false);
            awaitWaiters(server, 11);
            awaitHeld(server, 2);
            server.upstream.release();
            server.upstream.release();
            for (CompletableFuture<Message> reply : replies) {
                assertThat(answers(of(reply))).containsExactly("www.example.org. 300 IN A 10.0.0.1");
            }
            assertThat(of(other).getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(server.asked()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Rcode.SERVFAIL, Rcode.REFUSED, Rcode.NXDOMAIN})
    void allAreToldOfAFailureWhetherItIsKeptOrNot(int rcode) throws Exception {
        try (CacheServer server = CacheServer.start("servfail 0")) {
            server.upstream.hold();
            server.upstream.reply(exchange -> exchange.fail(rcode, "as told"));
            CompletableFuture<Message> first = server.asking(CacheServer.query(NAME), false);
            CompletableFuture<Message> second = server.asking(CacheServer.query(NAME), true);
            awaitWaiters(server, 2);
            server.upstream.release();
            assertThat(of(first).getRcode()).isEqualTo(rcode);
            assertThat(of(second).getRcode()).isEqualTo(rcode);
            assertThat(server.asked()).isEqualTo(1);
        }
    }

    @Test
    void allAreDroppedWithTheFirst() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.hold();
            server.upstream.reply(_ -> Step.DROPPED);
            AtomicInteger ends = new AtomicInteger();
            for (int i = 0; i < 3; i++) {
                server.chain.handle(new Exchange(), CacheServer.query(NAME).toWire(), (_, _, length) -> {
                    assertThat(length).isZero();
                    ends.incrementAndGet();
                });
            }
            server.upstream.release();
            assertThat(ends).hasValue(3);
            server.upstream.goOn();
            server.upstream.reply(Rcode.NOERROR, A);
            assertThat(server.ask().getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void aQuestionThatNobodyAnswersLeavesNobodyWaiting() throws Exception {
        try (CacheServer server = CacheServer.start("servfail 0")) {
            server.upstream.hold();
            CompletableFuture<Message> first = server.asking(CacheServer.query(NAME), false);
            CompletableFuture<Message> second = server.asking(CacheServer.query(NAME), false);
            awaitWaiters(server, 2);
            Exchange held = server.upstream.held.take();
            held.answer().rcode(Rcode.NOERROR);
            held.resume(Step.NEXT); // below the lowest plugin there is none
            assertThat(of(first).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(of(second).getRcode()).isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void theDeadlineOfTheFirstIsNotThatOfTheQuestion() throws Exception {
        try (CacheServer server = new CacheServer("cache .", "cancel 200ms", List.of(new CancelSetup()))) {
            server.upstream.hold();
            server.upstream.reply(Rcode.NOERROR, A);
            assertThat(server.ask().getRcode()).as("at the deadline").isEqualTo(Rcode.SERVFAIL);
            server.upstream.release();
            assertThat(answers(server.ask())).as("came late, but came").containsExactly("www.example.org. 300 IN A 10.0.0.1");
            assertThat(server.asked()).isEqualTo(1);
        }
    }

    @Test
    void aCutAnswerIsNoneForTcp() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.hold();
            server.upstream.reply(Rcode.NOERROR, HeaderFlag.TC, A);
            CompletableFuture<Message> udp = server.asking(CacheServer.query(NAME), false);
            awaitHeld(server, 1);
            CompletableFuture<Message> alsoUdp = server.asking(CacheServer.query(NAME), false);
            CompletableFuture<Message> tcp = server.asking(CacheServer.query(NAME), true);
            awaitWaiters(server, 3);
            server.upstream.release();
            assertThat(of(udp).getHeader().getFlag(org.xbill.DNS.Flags.TC)).isTrue();
            assertThat(of(alsoUdp).getHeader().getFlag(org.xbill.DNS.Flags.TC)).isTrue();
            server.upstream.reply(Rcode.NOERROR, A, "an www.example.org. 300 IN A 10.0.0.2");
            server.upstream.release();
            assertThat(answers(of(tcp))).hasSize(2);
            assertThat(answers(server.ask())).as("kept from then on").hasSize(2);
            assertThat(server.asked()).isEqualTo(2);
        }
    }

    @Test
    void whatIsMadeForOneClientIsGivenToNoOther() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.cacheable(false);
            server.upstream.hold();
            server.upstream.replyToAll(0);
            CompletableFuture<Message> first = server.asking(CacheServer.query(NAME), false);
            awaitHeld(server, 1);
            CompletableFuture<Message> second = server.asking(CacheServer.query(NAME), false);
            awaitWaiters(server, 2);
            server.upstream.release();
            assertThat(of(first).getRcode()).isEqualTo(Rcode.NOERROR);
            server.upstream.release();
            assertThat(of(second).getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(server.asked()).isEqualTo(2);
        }
    }

    @Test
    void moreThanSomeAskByThemselves() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.hold();
            server.upstream.reply(Rcode.NOERROR, A);
            AtomicInteger replies = new AtomicInteger();
            byte[] packet = CacheServer.query(NAME).toWire();
            int clients = Flight.MAX_WAITERS + 5;
            for (int i = 0; i < clients; i++) {
                server.chain.handle(new Exchange(), packet, (_, _, _) -> replies.incrementAndGet());
            }
            assertThat(server.asked()).isEqualTo(1 + 5);
            for (int i = 0; i < 1 + 5; i++) {
                server.upstream.release();
            }
            assertThat(replies).hasValue(clients);
        }
    }

    @Test
    void aQuestionThatGotLostIsAskedAgain() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.hold();
            AtomicInteger ends = new AtomicInteger();
            byte[] packet = CacheServer.query(NAME).toWire();
            server.chain.handle(new Exchange(), packet, (_, _, _) -> ends.incrementAndGet());
            server.passSeconds(29);
            server.chain.handle(new Exchange(), packet, (_, _, _) -> ends.incrementAndGet());
            assertThat(server.asked()).isEqualTo(1);
            server.passSeconds(1);
            server.upstream.goOn();
            server.upstream.reply(Rcode.NOERROR, A);
            assertThat(server.ask().getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(server.asked()).isEqualTo(2);
            assertThat(ends).as("those who waited are let go").hasValue(2);
        }
    }

    @Test
    void whoComesSecondGetsTheFlightOfTheFirstEvenIfItLands() throws Exception {
        Flights flights = new Flights();
        byte[] packet = CacheServer.query(NAME).toWire();
        QueryView query = new QueryView();
        System.arraycopy(packet, 0, query.buffer(packet.length), 0, packet.length);
        query.read(packet.length);
        Question question = Question.kept(query);
        Flight first = new Flight(question, 0);
        assertThat(flights.open(first, 0, Flights.MAX)).isSameAs(first);
        Flight seen = flights.open(new Flight(question, 0), 0, Flights.MAX);
        flights.close(first);
        first.end();
        assertThat(seen).isSameAs(first);
    }

    @Test
    void manyThreadsAskOnce() throws Exception {
        int threads = 8;
        int rounds = 200;
        try (CacheServer server = CacheServer.start()) {
            server.upstream.replyToAll(300);
            CyclicBarrier barrier = new CyclicBarrier(threads);
            AtomicInteger replies = new AtomicInteger();
            List<Thread> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                running.add(Thread.ofPlatform().start(() -> {
                    try {
                        for (int i = 0; i < rounds; i++) {
                            byte[] packet = CacheServer.query("n" + i + ".example.org").toWire();
                            barrier.await();
                            byte[] now = server.chain.handle(new Exchange(), packet, (_, _, _) -> replies.incrementAndGet());
                            replies.addAndGet(now.length > 0 ? 1 : 0);
                        }
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }));
            }
            for (Thread thread : running) {
                thread.join();
            }
            await().untilAsserted(() -> assertThat(replies).hasValue(threads * rounds));
            assertThat(server.asked()).isEqualTo(rounds);
        }
    }
}
