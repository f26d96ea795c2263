package dev.cairn.plugin.cache;

import static dev.cairn.plugin.cache.CacheServer.NAME;
import static dev.cairn.testing.TestServer.answers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.Rcode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;

/** Asking again before an answer expires, or after. */
@Timeout(300)
class RefreshTest {
    private static final String OLD = "an www.example.org. 100 IN A 10.0.0.1";
    private static final String NEW = "an www.example.org. 100 IN A 10.0.0.2";
    private static final String SOA = "ns example.org. 300 IN SOA ns.example.org. root.example.org. 1 7200 3600 86400 120";

    private static String old(int ttl) {
        return "www.example.org. " + ttl + " IN A 10.0.0.1";
    }

    private static String fresh(int ttl) {
        return "www.example.org. " + ttl + " IN A 10.0.0.2";
    }

    /** A server that has had the old answer for {@code seconds}. */
    private static CacheServer withOld(int seconds, String... block) throws Exception {
        CacheServer server = CacheServer.start(block);
        server.upstream.reply(Rcode.NOERROR, OLD);
        server.ask();
        server.passSeconds(seconds);
        return server;
    }

    @ParameterizedTest
    @CsvSource({"prefetch 3, 90", "prefetch 3 1m, 90", "prefetch 3 1m 50%, 50"})
    void prefetchesWhatIsPopularAndAboutToExpire(String line, int due) throws Exception {
        try (CacheServer server = withOld(due - 1, line)) {
            server.upstream.reply(Rcode.NOERROR, NEW);
            for (int i = 0; i < 3; i++) {
                assertThat(answers(server.ask())).containsExactly(old(100 - due + 1));
            }
            assertThat(server.asked()).as("too early").isEqualTo(1);
            server.passSeconds(1);
            assertThat(answers(server.ask())).as("the last with the old").containsExactly(old(100 - due));
            assertThat(answers(server.ask())).containsExactly(fresh(100));
            assertThat(server.asked()).isEqualTo(2);
            assertThat(server.metric("prefetch_total", "")).isEqualTo(1);
            server.passSeconds(due);
            server.ask();
            assertThat(server.asked()).as("unpopular after a gap, or as popular as before").isEqualTo(due > 60 ? 2 : 3);
        }
    }

    @Test
    void doesNotPrefetchWhatFewAskFor() throws Exception {
        try (CacheServer server = withOld(95, "prefetch 3")) {
            server.ask();
            server.ask();
            assertThat(server.asked()).isEqualTo(1);
        }
    }

    @Test
    void aPrefetchThatFailsLeavesWhatIsThere() throws Exception {
        try (CacheServer server = withOld(95, "prefetch 1")) {
            server.upstream.reply(Rcode.SERVFAIL);
            assertThat(answers(server.ask())).containsExactly(old(5));
            assertThat(answers(server.ask())).containsExactly(old(5));
            assertThat(server.asked()).isEqualTo(3);
        }
    }

    @Test
    void onePrefetchIsUnderWayAtATime() throws Exception {
        try (CacheServer server = withOld(95, "prefetch 1")) {
            server.upstream.hold();
            for (int i = 0; i < 5; i++) {
                assertThat(answers(server.ask())).containsExactly(old(5));
            }
            assertThat(server.asked()).isEqualTo(2);
            server.passSeconds(5);
            CompletableFuture<Message> late = server.asking(CacheServer.query(NAME), false);
            Awaitility.await().until(() -> server.metric("misses_total", "") == 2);
            server.upstream.reply(Rcode.NOERROR, NEW);
            server.upstream.release();
            assertThat(answers(late.get(2, TimeUnit.MINUTES))).as("waits for what is under way").containsExactly(fresh(100));
            assertThat(server.asked()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"serve_stale, 30, 3599, 3600", "serve_stale 10s, 30, 9, 10", "serve_stale 1m immediate 7s, 7, 59, 60",
        "serve_stale 1m immediate 0s, 0, 59, 60"})
    void servesWhatHasExpiredAndAsksMeanwhile(String line, int ttl, int still, int noMore) throws Exception {
        try (CacheServer server = withOld(100 + still, line)) {
            server.upstream.hold();
            server.upstream.reply(Rcode.NOERROR, NEW);
            assertThat(answers(server.ask())).containsExactly(old(ttl));
            assertThat(answers(server.ask())).containsExactly(old(ttl));
            assertThat(server.asked()).isEqualTo(2);
            assertThat(server.metric("served_stale_total", "")).isEqualTo(2);
            server.upstream.release();
            assertThat(answers(server.ask())).containsExactly(fresh(100));
            server.upstream.goOn();
            server.passSeconds(100 + noMore);
            server.upstream.reply(Rcode.SERVFAIL);
            assertThat(server.ask().getRcode()).as("too old").isEqualTo(Rcode.SERVFAIL);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Rcode.SERVFAIL, Rcode.REFUSED})
    void aFailureDoesNotTakeThePlaceOfData(int rcode) throws Exception {
        try (CacheServer server = withOld(150, "serve_stale")) {
            server.upstream.reply(rcode);
            for (int i = 0; i < 3; i++) {
                assertThat(answers(server.ask())).containsExactly(old(30));
            }
            assertThat(server.asked()).isEqualTo(4);
        }
    }

    @Test
    void aDenialDoesTakeThePlaceOfData() throws Exception {
        try (CacheServer server = withOld(150, "serve_stale")) {
            server.upstream.reply(Rcode.NXDOMAIN, SOA);
            assertThat(answers(server.ask())).containsExactly(old(30));
            assertThat(server.ask().getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(server.asked()).isEqualTo(2);
        }
    }

    @Test
    void afterAFailureWaitsBeforeItAsksAgain() throws Exception {
        try (CacheServer server = withOld(150, "serve_stale 1h immediate 30s 20s")) {
            server.upstream.reply(Rcode.SERVFAIL);
            server.ask();
            server.ask();
            server.passSeconds(19);
            assertThat(answers(server.ask())).containsExactly(old(30));
            assertThat(server.asked()).isEqualTo(2);
            server.passSeconds(1);
            server.ask();
            assertThat(server.asked()).isEqualTo(3);
        }
    }

    @Test
    void expiredFailuresAreNotServed() throws Exception {
        try (CacheServer server = CacheServer.start("serve_stale")) {
            server.upstream.reply(Rcode.SERVFAIL);
            server.ask();
            server.passSeconds(6);
            server.upstream.reply(Rcode.NOERROR, NEW);
            assertThat(answers(server.ask())).containsExactly(fresh(100));
        }
    }

    @Test
    void verifyAsksFirst() throws Exception {
        try (CacheServer server = withOld(150, "serve_stale 1h verify")) {
            server.upstream.reply(Rcode.NOERROR, NEW);
            assertThat(answers(server.ask())).containsExactly(fresh(100));
            assertThat(server.metric("served_stale_total", "")).isZero();
            server.passSeconds(150);
            server.upstream.reply(Rcode.SERVFAIL);
            assertThat(answers(server.ask())).containsExactly(fresh(30));
            server.upstream.reply(Rcode.NOERROR, HeaderFlag.TC, OLD);
            assertThat(answers(server.ask())).as("a cut answer is none").containsExactly(fresh(30));
            assertThat(server.metric("served_stale_total", "")).isEqualTo(2);
            server.upstream.reply(Rcode.NXDOMAIN, SOA);
            assertThat(server.ask().getRcode()).isEqualTo(Rcode.NXDOMAIN);
        }
    }

    @Test
    void verifyWaitsNoLongerThanTold() throws Exception {
        try (CacheServer server = withOld(150, "serve_stale 1h verify 50ms 9s")) {
            server.upstream.hold();
            server.upstream.reply(Rcode.NOERROR, NEW);
            assertThat(answers(server.ask())).containsExactly(old(9));
            assertThat(answers(server.ask())).containsExactly(old(9));
            server.upstream.release();
            assertThat(answers(server.ask())).as("came late, but came").containsExactly(fresh(100));
            assertThat(server.asked()).isEqualTo(2);
        }
    }

    @Test
    void verifyWithARecheckServesAtOnceMeanwhile() throws Exception {
        try (CacheServer server = withOld(150, "serve_stale 1h verify 0 30s 20s")) {
            server.upstream.hold();
            server.upstream.reply(Rcode.SERVFAIL);
            CompletableFuture<Message> first = server.asking(CacheServer.query(NAME), false);
            Awaitility.await().until(() -> server.upstream.held.size() == 1);
            assertThat(answers(server.ask())).containsExactly(old(30));
            server.upstream.release();
            assertThat(answers(first.get(2, TimeUnit.MINUTES))).containsExactly(old(30));
            assertThat(answers(server.ask())).containsExactly(old(30));
            assertThat(server.asked()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"'', 3", "serve_stale_policy prefer_positive, 0"})
    void thePolicyMayPreferOldDataToADenial(String policy, int rcode) throws Exception {
        try (CacheServer server = withOld(150, "serve_stale 1h verify", policy)) {
            server.upstream.reply(Rcode.NXDOMAIN, SOA);
            assertThat(server.ask().getRcode()).isEqualTo(rcode);
            assertThat(server.ask().getRcode()).isEqualTo(rcode);
            server.upstream.reply(Rcode.NOERROR, "ns example.org. 300 IN NS ns.example.org.");
            server.passSeconds(120);
            assertThat(answers(server.ask())).hasSize(rcode == 0 ? 1 : 0);
            server.upstream.reply(Rcode.NOERROR, NEW);
            server.passSeconds(120);
            assertThat(answers(server.ask())).containsExactly(fresh(100));
        }
    }
}
