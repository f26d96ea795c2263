package dev.cairn.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.xbill.DNS.Type;

@Timeout(300)
class SpareExchangesTest {
    private static final long HOUR = 3_600_000_000_000L;

    private final BlockingQueue<Exchange> held = new LinkedBlockingQueue<>();
    private final BlockingQueue<Exchange> reused = new LinkedBlockingQueue<>();
    private final AtomicInteger sent = new AtomicInteger();
    private final ReplySink sink = new ReplySink() {
        @Override
        public void send(Exchange exchange, byte[] reply, int length) {
            assertThat(reused).doesNotContain(exchange);
            sent.incrementAndGet();
        }

        @Override
        public void reuse(Exchange exchange) {
            reused.add(exchange);
        }
    };

    /** Keeps what comes, with a deadline of so many nanoseconds if that is not 0. */
    private TestChain keeping(long deadlineNanos) throws Exception {
        return new TestChain("", List.of(), new Plugin() {
            @Override
            public String name() {
                return "keeper";
            }

            @Override
            public Step query(Exchange exchange) {
                if (deadlineNanos != 0) {
                    exchange.deadline(System.nanoTime() + deadlineNanos);
                }
                held.add(exchange);
                return Step.LATER;
            }
        });
    }

    private void ask(TestChain chain, Exchange exchange) throws Exception {
        chain.handle(exchange, TestServer.query("www.example.org", Type.A).toWire(), sink);
    }

    @Test
    void aKeptExchangeIsForItsListenerToUseAgainAfterItsReply() throws Exception {
        try (TestChain chain = keeping(0)) {
            Exchange exchange = new Exchange();
            for (int i = 1; i <= 3; i++) {
                ask(chain, exchange);
                assertThat(reused).isEmpty();
                held.take().resume(Step.ANSWERED);
                assertThat(sent).hasValue(i);
                assertThat(reused.take()).isSameAs(exchange);
                exchange.resume(Step.ANSWERED);
                assertThat(sent).as("resumed twice").hasValue(i);
            }
        }
    }

    /** The alarm may go off at the same moment, and the plugin come late. */
    @Test
    void oneWithADeadlineIsNot() throws Exception {
        try (TestChain chain = keeping(HOUR)) {
            ask(chain, new Exchange());
            held.take().resume(Step.ANSWERED);
            assertThat(sent).hasValue(1);
            assertThat(reused).isEmpty();
        }
    }

    @Test
    void oneThatAPluginStillHasAtItsDeadlineIsNot() throws Exception {
        try (TestChain chain = keeping(1)) {
            ask(chain, new Exchange());
            await().until(() -> sent.get() == 1);
            Exchange late = held.take();
            late.resume(Step.ANSWERED);
            assertThat(sent).hasValue(1);
            assertThat(reused).doesNotContain(late);
        }
    }

    @Test
    void whatWasAskedBelowIsAskedWithAgainOnlyIfItWasGivenBack() throws Exception {
        try (TestChain chain = keeping(0)) {
            Exchange outer = new Exchange();
            ask(chain, outer);
            Exchange first = outer.below(Protocol.TCP);
            Exchange second = outer.below(Protocol.TCP);
            assertThat(second).isNotSameAs(first);
            second.giveBack();
            Exchange third = outer.below(Protocol.UDP);
            assertThat(third).isSameAs(second);
            assertThat(third.query().nameText()).isEqualTo("www.example.org.");
            assertThat(third.protocol()).isEqualTo(Protocol.UDP);
            assertThat(third.isSettled()).isFalse();
            assertThat(outer.below(Protocol.UDP)).isNotSameAs(third);
        }
    }

    @Test
    void noExchangeIsTakenTwice() throws Exception {
        SpareExchanges spares = new SpareExchanges();
        Set<Exchange> inUse = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
        ConcurrentLinkedQueue<Exchange> done = new ConcurrentLinkedQueue<>();
        AtomicInteger left = new AtomicInteger(50_000);
        List<Thread> givers = IntStream.range(0, 3).mapToObj(_ -> Thread.ofPlatform().start(() -> {
            while (left.get() > 0) {
                Exchange exchange = done.poll();
                if (exchange != null) {
                    inUse.remove(exchange);
                    spares.giveBack(exchange);
                }
            }
        })).toList();
        try {
            while (left.decrementAndGet() > 0) {
                Exchange exchange = spares.take();
                assertThat(inUse.add(exchange)).isTrue();
                done.add(exchange);
            }
        } finally {
            left.set(0);
            for (Thread giver : givers) {
                giver.join();
            }
        }
    }
}
