package dev.cairn.plugin.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.chain.Dispatcher;
import dev.cairn.chain.Exchange;
import dev.cairn.chain.ReplySink;
import dev.cairn.testing.Garbage;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.Answer;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Type;

/** Bounds: of entries, of bytes, and of garbage for a hit. */
class CapacityTest {
    private static final int CAPACITY = 10_000;
    private static final String SOA = "ns example.org. 300 IN SOA ns.example.org. root.example.org. 1 7200 3600 86400 120";
    private static final ReplySink NOBODY = (_, _, _) -> {};

    private final Exchange exchange = new Exchange();

    /** Hands a query to the server without a socket. */
    private void ask(CacheServer server, byte[] packet) {
        System.arraycopy(packet, 0, exchange.query().buffer(packet.length), 0, packet.length);
        int length = server.chain.dispatcher().handle(exchange, packet.length, server.chain.router(), Dispatcher.worker(), NOBODY);
        if (length < packet.length) {
            throw new AssertionError("no reply");
        }
    }

    private void ask(CacheServer server, String name) throws IOException {
        ask(server, TestServer.query(name, Type.A).toWire());
    }

    @Test
    void aFloodOfRandomNamesStaysWithinTheCapacityAndSparesWhatIsPopular() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.replyToAll(300);
            for (int i = 0; i < 20; i++) {
                for (int round = 0; round < 3; round++) {
                    ask(server, "popular" + i + ".example.org");
                }
            }
            int flood = 5 * CAPACITY;
            for (int i = 0; i < flood; i++) {
                ask(server, "r" + Integer.toHexString(i * 0x9E3779B9) + ".example.org");
                if (i % 500 == 0) {
                    ask(server, "popular" + (i / 500) % 20 + ".example.org");
                }
            }
            assertThat(server.metric("entries", "success")).isBetween((long) CAPACITY * 9 / 10, (long) CAPACITY);
            assertThat(server.metric("evictions_total", "success")).isGreaterThanOrEqualTo(flood - CAPACITY);
            server.upstream.reply(Rcode.NXDOMAIN, SOA);
            for (int i = 0; i < 2 * CAPACITY; i++) {
                ask(server, "x" + Integer.toHexString(i * 0x9E3779B9) + ".example.org");
            }
            assertThat(server.metric("entries", "denial")).isBetween((long) CAPACITY * 9 / 10, (long) CAPACITY);
            assertThat(server.metric("evictions_total", "denial")).isGreaterThanOrEqualTo(CAPACITY);
            server.upstream.asked.clear();
            for (int i = 0; i < 20; i++) {
                ask(server, "popular" + i + ".example.org");
            }
            assertThat(server.asked()).as("popular names that were pushed out").isLessThan(5);
        }
    }

    @Test
    void largeAnswersTakeTheRoomOfSeveral() throws Exception {
        try (CacheServer server = CacheServer.start("success 1024")) {
            byte[] text = new byte[201];
            text[0] = (byte) 200;
            server.upstream.reply(asked -> {
                WireName owner = WireName.of(asked.query().name(), 0, asked.query().nameLength());
                asked.answer().add(Answer.Section.ANSWER, RrSet.of(owner, DnsType.TXT, 1, 300, java.util.Collections.nCopies(50, text)));
                return dev.cairn.chain.Step.ANSWERED;
            });
            for (int i = 0; i < 2000; i++) {
                ask(server, TestServer.query("big" + i + ".example.org", Type.TXT).toWire());
            }
            // 50 * 213 bytes and some: eleven times the room of a common one
            assertThat(server.metric("entries", "success")).isBetween(80L, 93L);
        }
    }

    /** An alias and two addresses, as the hosts of large sites have. */
    private static CachedAnswer typical(Exchange exchange, String name) throws IOException {
        byte[] packet = TestServer.query(name, Type.A).toWire();
        System.arraycopy(packet, 0, exchange.query().buffer(packet.length), 0, packet.length);
        exchange.query().read(packet.length);
        Answer answer = new Answer();
        WireName target = WireName.parse("edge-" + name + ".cdn.example.net");
        byte[] alias = new byte[target.length()];
        target.copyTo(alias, 0);
        answer.add(Answer.Section.ANSWER, RrSet.of(WireName.parse(name), DnsType.CNAME, 1, 300, List.of(alias)));
        answer.add(Answer.Section.ANSWER,
                RrSet.of(target, DnsType.A, 1, 60, List.of(new byte[] {10, 0, 0, 1}, new byte[] {10, 0, 0, 2})));
        return CachedAnswer.of(Kind.ANSWER, exchange.query(), answer, 0, Long.MAX_VALUE);
    }

    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(least, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }

    @Test
    void tenThousandEntriesTakeLessThanTenMegabytesAndNotMoreThanTheyWeigh() throws Exception {
        CacheSettings.Share share = new CacheSettings.Share(CAPACITY, 3600, 5, List.of());
        CacheSettings settings = new CacheSettings(List.of(WireName.ROOT), ".", share, share, 0, new CacheSettings.Prefetch(0, 0, 10),
                new CacheSettings.Stale(0, false, 0, 0, 0, false), false);
        AnswerStore store = new AnswerStore(settings, _ -> {});
        long before = usedHeap();
        long weight = 0;
        for (int i = 0; i < CAPACITY; i++) {
            CachedAnswer answer = typical(exchange, "host-" + i + ".shop.example.org");
            Question question = Question.kept(exchange.query());
            weight += answer.bytes(question);
            store.put(question, answer, 0);
        }
        long estimate = weight;
        // What other threads of the process have left behind goes; what the entries take stays.
        Awaitility.await().untilAsserted(() -> {
            long used = usedHeap() - before;
            assertThat(store.size(true)).isEqualTo(CAPACITY);
            assertThat(used).as("bytes of heap").isLessThan(10_000_000);
            assertThat((double) used).as("bytes of heap against the estimate of %s", estimate).isLessThan(1.1 * estimate);
        });
    }

    @ParameterizedTest
    @CsvSource({"0, A", "0, AAAA", "20000, A", "20000, AAAA"})
    void aHitMakesNoGarbage(int others, String type) throws Exception {
        int queries = 5_000;
        try (CacheServer server = CacheServer.start("prefetch 1000000", "serve_stale")) {
            server.upstream.replyToAll(300);
            for (int i = 0; i < others; i++) {
                ask(server, "other" + i + ".example.org");
            }
            byte[] packet = TestServer.query("www.example.org", Type.value(type)).toWire();
            server.upstream.reply(Rcode.NOERROR, type.equals("A")
                    ? new String[] {"an www.example.org. 300 IN CNAME a.example.net.", "an a.example.net. 300 IN A 10.0.0.1"}
                    : new String[] {SOA});
            server.upstream.asked.clear();
            Garbage.assertNone(() -> {
                for (int i = 0; i < queries; i++) {
                    ask(server, packet);
                }
            });
            assertThat(server.asked()).isEqualTo(1);
        }
    }
}
