package dev.cairn.plugin.cache;

import static dev.cairn.plugin.cache.CacheServer.NAME;
import static dev.cairn.testing.TestServer.answers;
import static dev.cairn.testing.TestServer.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.chain.Step;
import dev.cairn.plugin.loadbalance.LoadbalanceSetup;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.Rcode;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class CacheTest {
    private static final String A = "an www.example.org. 300 IN A 10.0.0.1";
    private static final String SOA = "ns example.org. 300 IN SOA ns.example.org. root.example.org. 1 7200 3600 86400 120";
    private static final String SIGNATURE = " example.org. c2lnbmF0dXJl";

    private static int flagsOf(Message reply) {
        int flags = 0;
        for (int flag : List.of(Flags.AA, Flags.RA, Flags.AD)) {
            flags |= reply.getHeader().getFlag(flag) ? 0x8000 >> flag : 0;
        }
        return flags;
    }

    @Test
    void answersFromMemoryWithATtlThatCountsDown() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.reply(Rcode.NOERROR, A);
            assertThat(answers(server.ask())).containsExactly("www.example.org. 300 IN A 10.0.0.1");
            assertThat(answers(server.ask())).containsExactly("www.example.org. 300 IN A 10.0.0.1");
            server.passSeconds(100);
            assertThat(answers(server.ask())).containsExactly("www.example.org. 200 IN A 10.0.0.1");
            server.pass(Duration.ofMillis(199_999));
            assertThat(answers(server.ask())).containsExactly("www.example.org. 1 IN A 10.0.0.1");
            assertThat(server.asked()).isEqualTo(1);
            server.pass(Duration.ofMillis(1));
            assertThat(answers(server.ask())).containsExactly("www.example.org. 300 IN A 10.0.0.1");
            assertThat(server.asked()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {
        // block, TTL from above, SOA's minimum, TTL of a success, TTL of a denial
        "-, 300, 120, 300, 120",
        "-, 60, 120, 60, 60",
        "-, 0, 0, 5, 5",
        "-, 100000, 100000, 3600, 1800",
        "success 2000, 100000, 100000, 3600, 1800",
        "success 2000 30, 300, 300, 30, 300",
        "success 2000 600 60, 20, 20, 60, 20",
        "denial 2000 30, 300, 300, 300, 30",
        "denial 2000 600 60, 20, 20, 20, 60",
        "success 2000 30 60, 300, 300, 30, 300"
    })
    void keepsWithinTheBoundsOfTheDirective(String block, int ttl, int minimum, int success, int denial) throws Exception {
        try (CacheServer server = CacheServer.start(block == null ? "" : block)) {
            server.upstream.reply(Rcode.NOERROR, "an www.example.org. " + ttl + " IN A 10.0.0.1", "ns example.org. 9000 IN NS ns.example.org.");
            for (int i = 0; i < 2; i++) {
                Message reply = server.ask();
                assertThat(reply.getSection(Section.ANSWER).getFirst().getTTL()).isEqualTo(success);
                assertThat(reply.getSection(Section.AUTHORITY).getFirst().getTTL()).isEqualTo(success);
            }
            server.upstream.reply(Rcode.NXDOMAIN,
                    "ns example.org. " + ttl + " IN SOA ns.example.org. root.example.org. 1 7200 3600 86400 " + minimum);
            for (int i = 0; i < 2; i++) {
                Message reply = server.ask("none.example.org");
                assertThat(reply.getRcode()).isEqualTo(Rcode.NXDOMAIN);
                assertThat(reply.getSection(Section.AUTHORITY).getFirst().getTTL()).isEqualTo(denial);
            }
            assertThat(server.asked()).isEqualTo(2);
        }
    }

    /** A server answers differently who wants no recursion, and a subnet is for those in it (RFC 7871 section 7.3). */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsAskedWithoutRecursionOrForASubnetIsNeitherKeptNorAnsweredFromMemory(boolean recursion) throws Exception {
        Message special = CacheServer.query(NAME);
        if (recursion) {
            special.addRecord(new OPTRecord(1232, 0, 0, 0, List.of(new ClientSubnetOption(24, InetAddress.ofLiteral("203.0.113.0")))),
                    Section.ADDITIONAL);
        } else {
            special.getHeader().unsetFlag(Flags.RD);
        }
        try (CacheServer server = CacheServer.start()) {
            server.upstream.reply(Rcode.NOERROR, "an www.example.org. 300 IN A 10.0.0.9");
            assertThat(answers(server.ask(special))).containsExactly("www.example.org. 300 IN A 10.0.0.9");
            server.upstream.reply(Rcode.NOERROR, A);
            assertThat(answers(server.ask())).containsExactly("www.example.org. 300 IN A 10.0.0.1");
            server.upstream.reply(Rcode.NOERROR, "an www.example.org. 300 IN A 10.0.0.8");
            assertThat(answers(server.ask(special))).containsExactly("www.example.org. 300 IN A 10.0.0.8");
            assertThat(answers(server.ask())).containsExactly("www.example.org. 300 IN A 10.0.0.1");
            assertThat(server.asked()).isEqualTo(3);
        }
    }

    @Test
    void aFailureIsKeptWithItsReason() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.reply(exchange -> {
                exchange.answer().addOption(15, new byte[] {0, 22}); // RFC 8914 section 4.23
                return exchange.refuse(Rcode.SERVFAIL);
            });
            for (int i = 0; i < 2; i++) {
                assertThat(reasons(server)).containsExactly(22);
            }
            assertThat(server.asked()).isEqualTo(1);
        }
    }

    @Test
    void anAnswerThatHasExpiredSaysSo() throws Exception {
        try (CacheServer server = CacheServer.start("serve_stale 1h")) {
            server.upstream.reply(Rcode.NOERROR, A);
            assertThat(reasons(server)).isEmpty();
            server.passSeconds(301);
            server.upstream.reply(Rcode.SERVFAIL);
            assertThat(reasons(server)).containsExactly(3);
        }
    }

    /** The extended errors of a reply (RFC 8914). */
    private static List<Integer> reasons(CacheServer server) throws IOException {
        Message query = CacheServer.query(NAME);
        query.addRecord(new OPTRecord(1232, 0, 0), Section.ADDITIONAL);
        return server.ask(query).getOPT().getOptions(EDNSOption.Code.EDNS_EXTENDED_ERROR).stream()
                .map(option -> ((ExtendedErrorCodeOption) option).getErrorCode()).toList();
    }

    @ParameterizedTest
    @CsvSource({"cache 30 ., 30", "cache 30 . { success 2000 40 }, 40"})
    void theTtlOfTheDirectiveHoldsUnlessALineSaysOtherwise(String directive, int ttl) throws Exception {
        try (CacheServer server = new CacheServer(directive.replace("{ ", "{\n").replace(" }", "\n}"), "", List.of())) {
            server.upstream.reply(Rcode.NOERROR, A);
            assertThat(server.ask().getSection(Section.ANSWER).getFirst().getTTL()).isEqualTo(ttl);
        }
    }

    static Stream<Arguments> replies() {
        DateTimeFormatter times = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");
        ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
        String today = now.plusDays(1).format(times) + " " + now.minusDays(1).format(times);
        String past = now.minusDays(1).format(times) + " " + now.minusDays(2).format(times);
        String future = now.plusDays(2).format(times) + " " + now.plusDays(1).format(times);
        String alias = "an www.example.org. 300 IN CNAME a.example.org.";
        String rrsig = "an www.example.org. 300 IN RRSIG A 8 3 300 ";
        return Stream.of(
                Arguments.of("an answer", true, Rcode.NOERROR, 0, List.of(A)),
                Arguments.of("an alias with its target", true, Rcode.NOERROR, 0, List.of(alias, "an a.example.org. 300 IN A 10.0.0.1")),
                Arguments.of("an alias that leads nowhere", false, Rcode.NOERROR, 0, List.of(alias)),
                Arguments.of("an alias and somebody else's address", false, Rcode.NOERROR, 0, List.of(alias, "an b.example.org. 300 IN A 10.0.0.1")),
                Arguments.of("aliases in a circle", false, Rcode.NOERROR, 0, List.of(alias, "an a.example.org. 300 IN CNAME www.example.org.")),
                Arguments.of("an alias to a name without the type", true, Rcode.NOERROR, 0, List.of(alias, SOA)),
                Arguments.of("no such type", true, Rcode.NOERROR, 0, List.of(SOA)),
                Arguments.of("no such name", true, Rcode.NXDOMAIN, 0, List.of(SOA)),
                Arguments.of("an alias to no such name", true, Rcode.NXDOMAIN, 0, List.of(alias, SOA)),
                Arguments.of("no such name, without SOA", false, Rcode.NXDOMAIN, 0, List.of()),
                Arguments.of("a referral", true, Rcode.NOERROR, 0, List.of("ns example.org. 300 IN NS ns.example.org.")),
                Arguments.of("nothing at all", true, Rcode.NOERROR, 0, List.of()),
                Arguments.of("a cut answer", false, Rcode.NOERROR, HeaderFlag.TC, List.of(A)),
                Arguments.of("a failure", true, Rcode.SERVFAIL, 0, List.of()),
                Arguments.of("not implemented", true, Rcode.NOTIMP, 0, List.of()),
                Arguments.of("refused", false, Rcode.REFUSED, 0, List.of()),
                Arguments.of("a format error", false, Rcode.FORMERR, 0, List.of()),
                Arguments.of("a living signature", true, Rcode.NOERROR, 0, List.of(A, rrsig + today + " 1" + SIGNATURE)),
                Arguments.of("a dead signature", false, Rcode.NOERROR, 0, List.of(A, rrsig + past + " 1" + SIGNATURE)),
                Arguments.of("a signature of the future", false, Rcode.NOERROR, 0, List.of(A, rrsig + future + " 1" + SIGNATURE)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("replies")
    void keepsWhatCanBeGivenAgain(String what, boolean kept, int rcode, int flags, List<String> records) throws Exception {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.reply(rcode, flags, records.toArray(String[]::new));
            Message query = CacheServer.query(NAME);
            query.addRecord(new org.xbill.DNS.OPTRecord(1232, 0, 0, ExtendedFlags.DO), Section.ADDITIONAL);
            Message first = server.ask(query);
            Message second = server.ask(query);
            assertThat(server.asked()).as(what).isEqualTo(kept ? 1 : 2);
            assertThat(second.getRcode()).isEqualTo(first.getRcode()).isEqualTo(rcode);
            for (int section : List.of(Section.ANSWER, Section.AUTHORITY, Section.ADDITIONAL)) {
                assertThat(rows(second, section)).isEqualTo(rows(first, section));
            }
            assertThat(rows(first, Section.ANSWER).size() + rows(first, Section.AUTHORITY).size()).isEqualTo(records.size());
        }
    }

    @Test
    void tellsQuestionsApartAsUpstreamsDo() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.replyToAll(300);
            Message dnssec = CacheServer.query(NAME);
            dnssec.addRecord(new org.xbill.DNS.OPTRecord(1232, 0, 0, ExtendedFlags.DO), Section.ADDITIONAL);
            Message edns = CacheServer.query(NAME);
            edns.addRecord(new org.xbill.DNS.OPTRecord(1232, 0, 0, 0), Section.ADDITIONAL);
            List<Message> different = List.of(CacheServer.query(NAME), CacheServer.query(NAME, Flags.CD), dnssec,
                    TestServer.query(NAME, Type.AAAA), CacheServer.query("xwww.example.org"), CacheServer.query("ww.example.org"));
            for (int round = 0; round < 2; round++) {
                for (Message query : different) {
                    assertThat(server.ask(query).getRcode()).isEqualTo(Rcode.NOERROR);
                }
            }
            server.ask(CacheServer.query("WwW.eXample.ORG"));
            server.ask(CacheServer.query(NAME, Flags.AD));
            server.ask(edns);
            server.askTcp(CacheServer.query(NAME));
            // AAAA is answered with an A here, which is no answer to keep.
            assertThat(server.asked()).isEqualTo(different.size() + 1);
        }
    }

    @Test
    void repliesInTheSpellingOfTheClient() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.reply(Rcode.NOERROR, A);
            server.ask();
            assertThat(answers(server.ask("wWw.Example.org"))).containsExactly("wWw.Example.org. 300 IN A 10.0.0.1");
        }
    }

    @Test
    void isNoAuthorityAndTellsOfSignaturesOnlyWhoAsks() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.reply(Rcode.NOERROR, HeaderFlag.AA | HeaderFlag.RA | HeaderFlag.AD, A);
            assertThat(flagsOf(server.ask())).as("from above").isEqualTo(HeaderFlag.AA | HeaderFlag.RA);
            assertThat(flagsOf(server.ask())).as("from memory").isEqualTo(HeaderFlag.RA);
            assertThat(flagsOf(server.ask(CacheServer.query(NAME, Flags.AD)))).isEqualTo(HeaderFlag.RA | HeaderFlag.AD);
            assertThat(server.asked()).isEqualTo(1);
        }
    }

    @Test
    void keepsNoFailureOfTheMomentForWhichNobodyWasAsked() throws Exception {
        try (CacheServer server = CacheServer.start("servfail 30s")) {
            server.upstream.reply(exchange -> {
                exchange.momentary();
                return exchange.fail(Rcode.SERVFAIL, "no upstream is healthy");
            });
            assertThat(server.ask().getRcode()).isEqualTo(Rcode.SERVFAIL);
            server.upstream.reply(Rcode.NOERROR, A);
            assertThat(server.ask().getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(server.ask().getRcode()).as("kept, as the exchange below was used again").isEqualTo(Rcode.NOERROR);
            assertThat(server.asked()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"'', 5000", "servfail 30s, 30000", "servfail 0, 0", "servfail 500ms, 500"})
    void keepsFailuresAsLongAsTold(String line, int millis) throws Exception {
        try (CacheServer server = CacheServer.start(line)) {
            server.upstream.reply(exchange -> exchange.fail(Rcode.SERVFAIL, "no upstream answers"));
            assertThat(server.ask().getRcode()).isEqualTo(Rcode.SERVFAIL);
            if (millis > 0) {
                server.pass(Duration.ofMillis(millis - 1));
                assertThat(server.ask().getRcode()).isEqualTo(Rcode.SERVFAIL);
                assertThat(server.asked()).isEqualTo(1);
                server.pass(Duration.ofMillis(1));
            }
            server.upstream.reply(Rcode.NOERROR, A);
            assertThat(server.ask().getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "disable success, www.example.org, false, true",
        "disable denial, www.example.org, true, false",
        "disable success example.org, www.example.org, false, true",
        "disable success example.org, example.net, true, true",
        "disable denial example.net example.org, www.example.org, true, false",
        "disable denial sub.example.org, www.example.org, true, true"
    })
    void keepsNothingOfDisabledZones(String line, String name, boolean success, boolean denial) throws Exception {
        try (CacheServer server = CacheServer.start("success 2000 200", line)) {
            server.upstream.replyToAll(300);
            assertThat(server.ask(name).getSection(Section.ANSWER).getFirst().getTTL()).isEqualTo(200);
            server.ask(name);
            assertThat(server.asked()).isEqualTo(success ? 1 : 2);
            server.upstream.asked.clear();
            server.upstream.reply(Rcode.NXDOMAIN, SOA);
            server.ask("none." + name);
            server.ask("none." + name);
            assertThat(server.asked()).isEqualTo(denial ? 1 : 2);
        }
    }

    @Test
    void keepttlShowsTheWholeTtl() throws Exception {
        try (CacheServer server = CacheServer.start("keepttl")) {
            server.upstream.reply(Rcode.NOERROR, A);
            server.ask();
            server.passSeconds(299);
            assertThat(answers(server.ask())).containsExactly("www.example.org. 300 IN A 10.0.0.1");
            server.passSeconds(1);
            server.ask();
            assertThat(server.asked()).isEqualTo(2);
        }
    }

    @Test
    void leavesNamesOutsideItsZonesAlone() throws Exception {
        try (CacheServer server = new CacheServer("cache 30 example.org", "", List.of())) {
            server.upstream.replyToAll(300);
            for (int i = 0; i < 2; i++) {
                assertThat(server.ask("example.net").getSection(Section.ANSWER).getFirst().getTTL()).isEqualTo(300);
                assertThat(server.ask("www.example.org").getSection(Section.ANSWER).getFirst().getTTL()).isEqualTo(30);
            }
            assertThat(server.upstream.asked).containsExactly("example.net. A", "www.example.org. A", "example.net. A");
        }
    }

    @Test
    void theNewestOfSuccessAndDenialCounts() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            for (int round = 0; round < 2; round++) {
                server.upstream.reply(Rcode.NOERROR, A);
                assertThat(server.ask().getRcode()).isEqualTo(Rcode.NOERROR);
                server.passSeconds(300);
                server.upstream.reply(Rcode.NXDOMAIN, SOA);
                assertThat(server.ask().getRcode()).isEqualTo(Rcode.NXDOMAIN);
                assertThat(server.ask().getRcode()).isEqualTo(Rcode.NXDOMAIN);
                server.passSeconds(120);
            }
            assertThat(server.asked()).isEqualTo(4);
        }
    }

    @Test
    void loadbalanceTurnsWhatIsKept() throws Exception {
        try (CacheServer server = new CacheServer("cache .", "loadbalance", List.of(new LoadbalanceSetup()))) {
            server.upstream.reply(Rcode.NOERROR, A, "an www.example.org. 300 IN A 10.0.0.2", "an www.example.org. 300 IN A 10.0.0.3");
            Set<String> first = new HashSet<>();
            for (int i = 0; i < 100; i++) {
                first.add(answers(server.ask()).getFirst());
            }
            assertThat(first).hasSize(3);
            assertThat(server.asked()).isEqualTo(1);
        }
    }

    @Test
    void aLargeAnswerIsKeptWholeAndCutForUdp() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            String[] rows = Stream.iterate(1, i -> i + 1).limit(100).map(i -> "an www.example.org. 300 IN A 10.0.0." + i).toArray(String[]::new);
            server.upstream.reply(Rcode.NOERROR, rows);
            assertThat(answers(server.askTcp(CacheServer.query(NAME)))).hasSize(100);
            assertThat(server.ask().getHeader().getFlag(Flags.TC)).isTrue();
            assertThat(answers(server.askTcp(CacheServer.query(NAME)))).hasSize(100);
            assertThat(server.asked()).isEqualTo(1);
        }
    }

    @Test
    void countsAsCoreDnsDoes() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.reply(Rcode.NOERROR, A);
            server.ask();
            server.ask();
            server.ask();
            server.upstream.reply(Rcode.NXDOMAIN, SOA);
            server.ask("none.example.org");
            server.ask("none.example.org");
            assertThat(server.chain.metrics()).contains(
                    "coredns_cache_entries{server=\"dns://:53\",type=\"denial\",view=\"\",zones=\".\"} 1\n",
                    "coredns_cache_entries{server=\"dns://:53\",type=\"success\",view=\"\",zones=\".\"} 1\n",
                    "coredns_cache_hits_total{server=\"dns://:53\",type=\"denial\",view=\"\",zones=\".\"} 1\n",
                    "coredns_cache_hits_total{server=\"dns://:53\",type=\"success\",view=\"\",zones=\".\"} 2\n",
                    "coredns_cache_misses_total{server=\"dns://:53\",view=\"\",zones=\".\"} 2\n",
                    "coredns_cache_requests_total{server=\"dns://:53\",view=\"\",zones=\".\"} 5\n");
        }
    }

    @Test
    void aDroppedQueryGetsNoReplyAndIsNotKept() throws Exception {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.reply(_ -> Step.DROPPED);
            byte[] reply = server.chain.handle(new dev.cairn.chain.Exchange(), CacheServer.query(NAME).toWire(), (_, _, _) -> {
                throw new AssertionError("no reply is due");
            });
            assertThat(reply).isEmpty();
            server.upstream.reply(Rcode.NOERROR, A);
            assertThat(server.ask().getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void aDefectBelowIsAFailureAndNoMore() throws Exception {
        try (CacheServer server = CacheServer.start("servfail 0")) {
            server.upstream.reply(_ -> {
                throw new IllegalStateException("a defect");
            });
            assertThat(server.ask().getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(server.chain.panics()).isEqualTo(1);
            server.upstream.reply(Rcode.NOERROR, A);
            assertThat(server.ask().getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void whatIsMadeForOneClientIsNotKept() throws IOException {
        try (CacheServer server = CacheServer.start()) {
            server.upstream.cacheable(false);
            server.upstream.replyToAll(0);
            for (int i = 0; i < 2; i++) {
                assertThat(answers(server.ask())).containsExactly("www.example.org. 0 IN A 10.0.0.1");
            }
            assertThat(server.asked()).isEqualTo(2);
        }
    }
}
