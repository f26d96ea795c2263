package dev.cairn.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.TestServer;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

class ChainTest {
    private final List<String> events = new ArrayList<>();
    private final List<RuntimeException> panics = new ArrayList<>();
    private final Dispatcher dispatcher = new Dispatcher((_, thrown) -> panics.add(thrown));
    private final CompletableFuture<byte[]> sentLater = new CompletableFuture<>();

    /** Does what it is told, and notes that it was there. */
    private final class Recorder implements AnswerHook, FinishHook {
        private final String name;
        private final Function<Exchange, Step> down;
        private final Function<Exchange, Step> up;

        Recorder(String name, Function<Exchange, Step> down, Function<Exchange, Step> up) {
            this.name = name;
            this.down = down;
            this.up = up;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Step query(Exchange exchange) {
            events.add(name + " asked");
            return down.apply(exchange);
        }

        @Override
        public Step answer(Exchange exchange) {
            events.add(name + " sees answer");
            return up.apply(exchange);
        }

        @Override
        public void finished(Exchange exchange) {
            Plugin by = exchange.answeredBy();
            events.add(name + " told " + exchange.replyLength() + " by " + (by == null ? "server" : by.name()));
        }
    }

    private Recorder passing(String name) {
        return new Recorder(name, _ -> Step.NEXT, _ -> Step.ANSWERED);
    }

    private Recorder answering(String name) {
        return new Recorder(name, ChainTest::addAddress, _ -> Step.ANSWERED);
    }

    private static Step addAddress(Exchange exchange) {
        WireName owner = WireName.parse(exchange.query().nameText());
        exchange.answer().addForQuestion(Rdata.single(owner, DnsType.A, 5, Rdata.address(new byte[] {10, 0, 0, 1})));
        return Step.ANSWERED;
    }

    private static Router router(Plugin... plugins) {
        Route unrouted = new Route("dns://:53", WireName.ROOT, "", 1, false, new Chain(List.of()));
        return new Router(List.of(new Route("dns://:53", WireName.ROOT, "", 0, false, new Chain(List.of(plugins)))), unrouted);
    }

    /** Hands a query in and returns the reply, null if there is none now. */
    private @Nullable Message ask(Plugin... plugins) throws IOException {
        byte[] packet = TestServer.query("a.example.", Type.A).toWire();
        Exchange exchange = new Exchange();
        System.arraycopy(packet, 0, exchange.query().buffer(packet.length), 0, packet.length);
        Dispatcher.Worker worker = Dispatcher.worker();
        ReplySink sink = (_, reply, length) -> sentLater.complete(Arrays.copyOf(reply, length));
        int length = dispatcher.handle(exchange, packet.length, router(plugins), worker, sink);
        return length > 0 ? new Message(Arrays.copyOf(worker.out(), length)) : null;
    }

    @Test
    void goesDownToTheFirstAnswerAndUpThroughThoseAboveIt() throws IOException {
        Message reply = ask(passing("one"), passing("two"), answering("three"), passing("four"));
        assertThat(TestServer.answers(reply)).containsExactly("a.example. 5 IN A 10.0.0.1");
        assertThat(events).startsWith("one asked", "two asked", "three asked", "two sees answer", "one sees answer");
        assertThat(events).contains("four told " + reply.toWire().length + " by three").noneMatch("four asked"::equals);
    }

    @Test
    void aHookMaySendTheQueryDownAgain() throws IOException {
        List<String> tries = new ArrayList<>();
        Recorder again = new Recorder("again", _ -> Step.NEXT, exchange -> {
            tries.add("try");
            exchange.answer().clear();
            return tries.size() < 3 ? Step.NEXT : addAddress(exchange);
        });
        assertThat(TestServer.answers(ask(again, answering("below")))).hasSize(1);
        assertThat(events).filteredOn("below asked"::equals).hasSize(3);
    }

    @Test
    void theLastToAnswerIsTheOneWhoDid() throws IOException {
        List<String> tries = new ArrayList<>();
        Recorder first = new Recorder("first", exchange -> tries.isEmpty() ? addAddress(exchange) : Step.NEXT, _ -> Step.ANSWERED);
        Recorder again = new Recorder("again", _ -> Step.NEXT, exchange -> {
            tries.add("try");
            exchange.answer().clear();
            return tries.size() < 2 ? Step.NEXT : addAddress(exchange);
        });
        assertThat(TestServer.answers(ask(again, first, answering("second")))).hasSize(1);
        assertThat(events).last().asString().matches("again told \\d+ by second");
    }

    @Test
    void whoAnsweredIsToldThoughThePluginAboveHadItAtOnce() throws IOException {
        Recorder asker = new Recorder("asker", exchange -> exchange.askBelow(exchange.below(Protocol.UDP), answered -> {
            exchange.credit(answered);
            return addAddress(exchange);
        }), _ -> Step.ANSWERED);
        assertThat(TestServer.answers(ask(asker, answering("below")))).hasSize(1);
        assertThat(events).last().asString().matches("asker told \\d+ by below");
    }

    @Test
    void aChainWithoutAnAnswerIsServfailWithAReason() throws IOException {
        List<String> reasons = new ArrayList<>();
        Recorder reader = new Recorder("reader", _ -> Step.NEXT, exchange -> {
            reasons.add(exchange.error());
            return Step.ANSWERED;
        });
        assertThat(ask(reader).getRcode()).isEqualTo(Rcode.SERVFAIL);
        assertThat(reasons).singleElement().asString().contains("no plugin");
    }

    @Test
    void aDroppedQueryGetsNoReplyButIsTold() throws IOException {
        assertThat(ask(passing("above"), new Recorder("dropper", _ -> Step.DROPPED, _ -> Step.ANSWERED))).isNull();
        assertThat(events).contains("above told 0 by server").noneMatch("above sees answer"::equals);
    }

    @Test
    void aKeptExchangeIsAnsweredFromAnotherThread() throws Exception {
        CompletableFuture<Exchange> kept = new CompletableFuture<>();
        Recorder keeper = new Recorder("keeper", exchange -> {
            kept.complete(exchange);
            return Step.LATER;
        }, _ -> Step.ANSWERED);
        assertThat(ask(passing("above"), keeper)).isNull();
        assertThat(events).containsExactly("above asked", "keeper asked");
        Thread.ofPlatform().start(() -> {
            addAddress(kept.join());
            kept.join().resume(Step.ANSWERED);
        }).join();
        assertThat(TestServer.answers(new Message(sentLater.get(2, TimeUnit.MINUTES)))).hasSize(1);
        assertThat(events).contains("above sees answer");
    }

    @Test
    void aKeptExchangeMayGoOnDown() throws Exception {
        Recorder keeper = new Recorder("keeper", exchange -> {
            CompletableFuture.runAsync(() -> exchange.resume(Step.NEXT));
            return Step.LATER;
        }, _ -> Step.ANSWERED);
        assertThat(ask(keeper, answering("below"))).isNull();
        assertThat(TestServer.answers(new Message(sentLater.get(2, TimeUnit.MINUTES)))).hasSize(1);
    }

    @Test
    void aDefectInAPluginIsServfailAndIsToldOnce() throws IOException {
        IllegalStateException defect = new IllegalStateException("a defect");
        Message reply = ask(passing("above"), new Recorder("broken", _ -> {
            throw defect;
        }, _ -> Step.ANSWERED));
        assertThat(reply.getRcode()).isEqualTo(Rcode.SERVFAIL);
        assertThat(panics).containsExactly(defect);
        assertThat(events).contains("above told " + reply.toWire().length + " by server");
    }

    @Test
    void aDefectInAFinishHookDoesNotCostTheReply() throws IOException {
        IllegalStateException defect = new IllegalStateException("a defect");
        FinishHook broken = new FinishHook() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public void finished(Exchange exchange) {
                throw defect;
            }
        };
        assertThat(TestServer.answers(ask(broken, answering("below")))).hasSize(1);
        assertThat(panics).containsExactly(defect);
    }

    @ParameterizedTest
    @CsvSource({
        "a.example.org., 1, example.org.",
        "example.org., 1, example.org.",
        "a.sub.example.org., 1, sub.example.org.",
        "SUB.example.org., 1, sub.example.org.",
        "xsub.example.org., 1, example.org.",
        "sub.example.org., 43, example.org.",
        "a.sub.example.org., 43, sub.example.org.",
        "example.net., 1, ",
        "org., 1, "
    })
    void theLongestZoneWinsAndDsGoesToTheParent(String name, int type, @Nullable String zone) throws IOException {
        Chain empty = new Chain(List.of());
        Route unrouted = new Route("", WireName.ROOT, "", 2, false, empty);
        Router router = new Router(
                List.of(
                        new Route("", WireName.parse("example.org."), "", 0, false, empty),
                        new Route("", WireName.parse("sub.example.org."), "", 1, false, empty)),
                unrouted);
        byte[] packet = TestServer.query(name, type).toWire();
        Exchange exchange = new Exchange();
        System.arraycopy(packet, 0, exchange.query().buffer(packet.length), 0, packet.length);
        exchange.query().read(packet.length);
        Route found = router.route(exchange);
        assertThat(found == null ? null : found.zone().toString()).isEqualTo(zone);
    }
}
