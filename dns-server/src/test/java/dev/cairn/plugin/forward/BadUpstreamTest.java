package dev.cairn.plugin.forward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.RawClient;
import dev.cairn.testing.ScriptedUpstream;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Upstreams that are dead, slow, cut off, or lie: the client gets an answer in time, and never a forged one. */
class BadUpstreamTest {
    private static final String GOOD = "192.0.2.1";
    private static final String FORGED = "198.51.100.66";

    private static long millis(long since) {
        return (System.nanoTime() - since) / 1_000_000;
    }

    @Test
    void aSilentUpstreamIsServfailInTimeAndTheErrorNamesIt() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.silent());
                TestServer server = ForwardTest.serving(upstream.address(), "read_timeout 200ms")) {
            long start = System.nanoTime();
            Message query = TestServer.query("a.org.", Type.A);
            query.addRecord(new OPTRecord(1232, 0, 0), Section.ADDITIONAL);
            Message reply = server.ask(query, false);
            assertThat(reply.getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(millis(start)).as("two attempts").isGreaterThanOrEqualTo(390);
            Awaitility.await().untilAsserted(() -> assertThat(upstream.asked()).as("attempts").hasSize(2));
            assertThat(reply.getOPT().getOptions(EDNSOption.Code.EDNS_EXTENDED_ERROR))
                    .allSatisfy(option -> assertThat(((ExtendedErrorCodeOption) option).getErrorCode()).isEqualTo(23))
                    .hasSize(1);
            Awaitility.await().untilAsserted(() -> assertThat(server.logLinesWith("plugin/errors"))
                    .singleElement().asString().endsWith("2 a.org. A: forward to " + upstream.address() + " over udp: i/o timeout"));
        }
    }

    @Test
    void aClosedPortFailsAtOnceAndTheNextUpstreamAnswers() throws Exception {
        int closed;
        try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            closed = free.getLocalPort();
        }
        try (ScriptedUpstream good = ScriptedUpstream.start(ScriptedUpstream.address(GOOD));
                TestServer server = ForwardTest.serving("127.0.0.1:" + closed + " " + good.address(), "policy sequential")) {
            assertThat(TestServer.answers(server.ask("a.org.", Type.A))).containsExactly("a.org. 60 IN A " + GOOD);
            assertThat(TestServer.answers(server.askTcp("b.org.", Type.A))).containsExactly("b.org. 60 IN A " + GOOD);
        }
    }

    @Test
    void repliesWithAWrongIdOrQuestionAreIgnoredAndTheRightOneCounts() throws Exception {
        ScriptedUpstream.Script script = asked -> {
            byte[] wrongId = asked.reply(asked.name() + " 60 A " + FORGED).toWire();
            wrongId[0] ^= 1;
            byte[] wrongQuestion = asked.reply(asked.name() + " 60 A " + FORGED).toWire();
            wrongQuestion[13] ^= 1;
            byte[] wrongType = asked.reply(asked.name() + " 60 A " + FORGED).toWire();
            wrongType[asked.query().getQuestion().getName().length() + 13] ^= 2;
            byte[] noQuestion = asked.reply().toWire();
            noQuestion[5] = 0;
            byte[] query = asked.query().toWire();
            byte[] good = asked.reply(asked.name() + " 60 A " + GOOD).toWire();
            return List.of(new byte[0], new byte[] {1}, wrongId, wrongQuestion, wrongType, noQuestion, query, good);
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script); TestServer server = ForwardTest.serving(upstream.address())) {
            assertThat(TestServer.answers(server.ask("a.org.", Type.A))).containsExactly("a.org. 60 IN A " + GOOD);
            assertThat(server.metrics())
                    .contains("cairn_forward_ignored_replies_total{reason=\"id\",to=\"" + upstream.address() + "\"} 1")
                    .contains("cairn_forward_ignored_replies_total{reason=\"question\",to=\"" + upstream.address() + "\"} 4");
        }
    }

    @Test
    void repliesFromAnotherAddressOrPortDoNotGetIn() throws Exception {
        CountDownLatch forged = new CountDownLatch(1);
        ScriptedUpstream.Script script = asked -> {
            byte[] lie = asked.reply(asked.name() + " 60 A " + FORGED).toWire();
            try (DatagramSocket port = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                    DatagramSocket address = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.2"))) {
                for (DatagramSocket other : List.of(port, address)) {
                    other.send(new DatagramPacket(lie, lie.length, InetAddress.getLoopbackAddress(), asked.clientPort()));
                }
            }
            forged.countDown();
            return List.of(asked.reply(asked.name() + " 60 A " + GOOD).toWire());
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script); TestServer server = ForwardTest.serving(upstream.address())) {
            assertThat(TestServer.answers(server.ask("a.org.", Type.A))).containsExactly("a.org. 60 IN A " + GOOD);
            assertThat(forged.getCount()).isZero();
        }
    }

    @Test
    void recordsThatAreNotTheQuestionsAreDropped() throws Exception {
        ScriptedUpstream.Script script = asked -> List.of(asked.reply(
                "bank.example. 60 A " + FORGED, "b.example. 60 A " + GOOD, "a.example. 60 CNAME b.example.", "www.bank.example. 60 CNAME b.example.")
                .toWire());
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script); TestServer server = ForwardTest.serving(upstream.address())) {
            assertThat(TestServer.answers(server.ask("a.example.", Type.A)))
                    .containsExactlyInAnyOrder("a.example. 60 IN CNAME b.example.", "b.example. 60 IN A " + GOOD);
        }
    }

    @Test
    void authorityAndAdditionalRecordsOfOthersAreDropped() throws Exception {
        ScriptedUpstream.Script script = asked -> {
            Message reply = asked.reply("www.example. 60 CNAME host.example.net.", "host.example.net. 60 A " + GOOD);
            for (String row : List.of("example.net. 60 NS ns.example.org.", "net. 60 NS a.net.", "bank.example. 60 NS ns.bank.example.",
                    "other.net. 60 SOA ns.other.net. root.other.net. 1 2 3 4 5")) {
                reply.addRecord(ScriptedUpstream.record(row), Section.AUTHORITY);
            }
            for (String row : List.of("ns.example.org. 60 A " + GOOD, "ns.bank.example. 60 A " + FORGED, "www.bank.example. 60 A " + FORGED)) {
                reply.addRecord(ScriptedUpstream.record(row), Section.ADDITIONAL);
            }
            return List.of(reply.toWire());
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script); TestServer server = ForwardTest.serving(upstream.address())) {
            Message reply = server.ask("www.example.", Type.A);
            assertThat(TestServer.answers(reply)).hasSize(2);
            assertThat(TestServer.rows(reply, Section.AUTHORITY))
                    .containsExactlyInAnyOrder("example.net. 60 IN NS ns.example.org.", "net. 60 IN NS a.net.");
            assertThat(TestServer.rows(reply, Section.ADDITIONAL)).containsExactly("ns.example.org. 60 IN A " + GOOD);
        }
    }

    @Test
    void garbageIsServfailAndTheServerLives() throws Exception {
        AtomicInteger round = new AtomicInteger();
        ScriptedUpstream.Script script = asked -> {
            byte[] wire = asked.reply(asked.name() + " 60 A " + GOOD).toWire();
            int cut = wire.length - 1 - round.getAndIncrement() % 20;
            return List.of(Arrays.copyOf(wire, cut));
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script); TestServer server = ForwardTest.serving(upstream.address())) {
            assertThat(server.ask("a.org.", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            Awaitility.await().untilAsserted(() -> assertThat(server.logLinesWith("the reply is malformed")).isNotEmpty());
            upstream.script(ScriptedUpstream.address(GOOD));
            assertThat(TestServer.answers(server.ask("a.org.", Type.A))).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"silent", "truncates", "refuses"})
    void anUpstreamThatTruncatesAndIsOfNoUseOverTcpLeavesTheClientATruncatedAnswer(String overTcp) throws Exception {
        ScriptedUpstream.Script script = asked -> {
            Message reply = asked.reply();
            reply.getHeader().setFlag(Flags.TC);
            return asked.tcp() && overTcp.equals("silent") ? List.of() : List.of(reply.toWire());
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script);
                TestServer server = ForwardTest.serving(upstream.address(), "read_timeout " + (overTcp.equals("silent") ? "100ms" : "1h"))) {
            if (overTcp.equals("refuses")) {
                upstream.refuseTcp();
            }
            Message reply = server.ask("a.org.", Type.A);
            assertThat(reply.getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(reply.getHeader().getFlag(Flags.TC)).isTrue();
            assertThat(upstream.asked()).extracting(ScriptedUpstream.Asked::tcp).contains(false);
            if (!overTcp.equals("refuses")) {
                assertThat(upstream.asked()).extracting(ScriptedUpstream.Asked::tcp).contains(true);
            }
        }
    }

    @Test
    void anUpstreamThatDoesNotKnowEdnsIsAskedWithout() throws Exception {
        ScriptedUpstream.Script script = asked -> asked.query().getOPT() != null
                ? asked.rcode(Rcode.FORMERR)
                : List.of(asked.reply(asked.name() + " 60 A " + GOOD).toWire());
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script); TestServer server = ForwardTest.serving(upstream.address())) {
            assertThat(TestServer.answers(server.ask("a.org.", Type.A))).hasSize(1);
            assertThat(upstream.asked()).hasSize(2);
        }
    }

    @Test
    void errorsOfTheUpstreamArePassedOnAndFailoverAsksAnother() throws Exception {
        try (ScriptedUpstream bad = ScriptedUpstream.start(ScriptedUpstream.rcode(Rcode.SERVFAIL));
                ScriptedUpstream worse = ScriptedUpstream.start(ScriptedUpstream.rcode(Rcode.REFUSED));
                ScriptedUpstream good = ScriptedUpstream.start(ScriptedUpstream.address(GOOD))) {
            String all = bad.address() + " " + worse.address() + " " + good.address();
            try (TestServer server = ForwardTest.serving(all, "policy sequential")) {
                assertThat(server.ask("a.org.", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            }
            try (TestServer server = ForwardTest.serving(all, "policy sequential", "failover SERVFAIL refused")) {
                assertThat(TestServer.answers(server.ask("a.org.", Type.A))).hasSize(1);
            }
            try (TestServer server = ForwardTest.serving(bad.address() + " " + worse.address(), "policy sequential", "failover SERVFAIL refused")) {
                assertThat(server.ask("a.org.", Type.A).getRcode()).as("the last one's").isEqualTo(Rcode.REFUSED);
            }
        }
    }

    @Test
    void nextAndNextOnNodataGoToTheNextForward() throws Exception {
        try (ScriptedUpstream none = ScriptedUpstream.start(asked -> asked.rcode(asked.type() == Type.A ? Rcode.NXDOMAIN : Rcode.NOERROR));
                ScriptedUpstream good = ScriptedUpstream.start(asked -> List.of(asked.reply(asked.name() + " 60 TXT found").toWire()));
                TestServer server = TestServer.start(". {\n forward . " + none.address() + " {\n next NXDOMAIN\n next_on_nodata\n }\n forward . "
                        + good.address() + " {\n next NOERROR\n }\n whoami\n}")) {
            assertThat(TestServer.answers(server.ask("a.org.", Type.A))).hasSize(1);
            assertThat(TestServer.answers(server.ask("a.org.", Type.TXT))).hasSize(1);
            assertThat(none.asked()).hasSize(2);
        }
    }

    @Test
    void moreQueriesThanMaxConcurrentAreRefused() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        ScriptedUpstream.Script script = asked -> {
            go.await(2, TimeUnit.MINUTES);
            return List.of(asked.reply(asked.name() + " 60 A " + GOOD).toWire());
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script);
                TestServer server = ForwardTest.serving(upstream.address(), "max_concurrent 2")) {
            List<CompletableFuture<Integer>> replies = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                String name = "a" + i + ".org.";
                CompletableFuture<Integer> reply = new CompletableFuture<>();
                replies.add(reply);
                Thread.ofVirtual().start(() -> {
                    try {
                        reply.complete(server.ask(name, Type.A).getRcode());
                    } catch (IOException e) {
                        reply.completeExceptionally(e);
                    }
                });
            }
            Awaitility.await().until(() -> upstream.asked().size() == 2);
            assertThat(server.ask("more.org.", Type.A).getRcode()).isEqualTo(Rcode.REFUSED);
            assertThat(server.metrics()).contains("coredns_forward_max_concurrent_rejects_total 1");
            Awaitility.await().untilAsserted(() ->
                    assertThat(server.logLinesWith("concurrent queries exceeded maximum 2")).hasSize(1));
            go.countDown();
            for (var reply : replies) {
                assertThat(reply.get(2, TimeUnit.MINUTES)).isZero();
            }
            assertThat(server.ask("more.org.", Type.A).getRcode()).isZero();
        }
    }

    @Test
    void aDeadUpstreamIsCheckedGetsDownAndComesBack() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.silent());
                TestServer server = ForwardTest.serving(upstream.address(),
                        "read_timeout 50ms", "max_connect_attempts 1", "health_check 20ms no_rec domain check.example", "max_fails 1",
                        "failfast_all_unhealthy_upstreams")) {
            assertThat(upstream.asked()).as("no checks before a failure").isEmpty();
            assertThat(server.ask("a.org.", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            awaitHealthChecksFailed(server, upstream);
            assertThat(upstream.asked().getLast().name()).isEqualTo("check.example.");
            assertThat(upstream.asked().getLast().type()).isEqualTo(Type.NS);
            assertThat(upstream.asked().getLast().query().getHeader().getFlag(Flags.RD)).isFalse();
            assertThat(server.ask("b.org.", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(upstream.asked()).as("was not asked").noneMatch(asked -> asked.name().equals("b.org."));
            assertThat(server.metrics()).contains("coredns_forward_healthcheck_broken_total 1");
            Awaitility.await().untilAsserted(() -> assertThat(server.logLinesWith("no healthy proxies")).hasSize(1));
            upstream.script(ScriptedUpstream.rcode(Rcode.REFUSED));
            Awaitility.await().until(() -> server.ask("c.org.", Type.A).getRcode() == Rcode.REFUSED);
        }
    }

    @Test
    void aNameThatWasRefusedWhileAllWereDownIsAnsweredOnceOneIsUpThoughThereIsACache() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.silent());
                TestServer server = TestServer.start(". {\n cache {\n servfail 5m\n }\n forward . " + upstream.address()
                        + " {\n read_timeout 50ms\n max_connect_attempts 1\n health_check 20ms\n max_fails 1\n failfast_all_unhealthy_upstreams\n }\n}")) {
            assertThat(server.ask("asked.org.", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            awaitHealthChecksFailed(server, upstream);
            assertThat(server.ask("refused.org.", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(upstream.asked()).noneMatch(asked -> asked.name().equals("refused.org."));
            upstream.script(ScriptedUpstream.address(GOOD));
            AtomicInteger tries = new AtomicInteger();
            Awaitility.await().until(() -> server.ask("up" + tries.getAndIncrement() + ".org.", Type.A).getRcode() == Rcode.NOERROR);
            assertThat(server.ask("refused.org.", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(server.ask("asked.org.", Type.A).getRcode()).as("an upstream was asked and said nothing").isEqualTo(Rcode.SERVFAIL);
        }
    }

    /** At first only health checks get no reply, so that the upstream gets down soon though a reply is waited for long. */
    @Test
    void onlySomeQueriesWaitForUpstreamsThatAreDown() throws Exception {
        int hoping = 256;
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.silent());
                TestServer server = ForwardTest.servingByOneLane(upstream.address(), "read_timeout 30s", "health_check 20ms", "max_fails 1");
                DatagramSocket client = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            upstream.script(asked -> asked.name().equals(".") ? List.of() : malformed(asked));
            assertThat(server.ask("first.org.", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(server.metrics())
                    .containsPattern("coredns_proxy_healthcheck_failures_total\\{proxy_name=\"forward\",to=\"" + upstream.address() + "\"} [2-9]"));
            upstream.script(ScriptedUpstream.silent());
            for (int i = 0; i < hoping + 10; i++) {
                byte[] query = TestServer.query("q" + i + ".org.", Type.A).toWire();
                client.send(new DatagramPacket(query, query.length, InetAddress.getLoopbackAddress(), server.port()));
            }
            client.setSoTimeout(30_000);
            for (int i = 0; i < 10; i++) {
                DatagramPacket reply = new DatagramPacket(new byte[512], 512);
                client.receive(reply);
                Message told = new Message(Arrays.copyOf(reply.getData(), reply.getLength()));
                assertThat(told.getRcode()).isEqualTo(Rcode.SERVFAIL);
                assertThat(told.getQuestion().getName().toString()).isEqualTo("q" + (hoping + i) + ".org.");
            }
            upstream.script(ScriptedUpstream.address(GOOD));
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> server.ask("again.org.", Type.A).getRcode() == Rcode.NOERROR);
        }
    }

    /** Nothing is checked here, so that the upstream never counts as down. */
    @Test
    void onlySomeQueriesWaitForUpstreamsThatSayNothing() throws Exception {
        int most = 2048;
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address(GOOD));
                TestServer server = ForwardTest.servingByOneLane(upstream.address(), "read_timeout 60s", "max_fails 0", "max_concurrent 100000");
                RawClient client = RawClient.to(server)) {
            assertThat(server.ask("first.org.", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
            upstream.script(ScriptedUpstream.silent());
            AtomicInteger sent = new AtomicInteger();
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
                for (int i = 0; i < 300; i++) {
                    client.send(false, TestServer.query("q" + sent.getAndIncrement() + ".org.", Type.A).toWire());
                }
                return server.metrics().matches("(?s).*cairn_forward_unheard_rejects_total [1-9].*");
            });
            Message told = new Message(client.receive(false));
            assertThat(told.getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(Integer.parseInt(told.getQuestion().getName().getLabelString(0).substring(1))).isGreaterThanOrEqualTo(most);
            upstream.script(ScriptedUpstream.address(GOOD));
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> server.ask("again.org.", Type.A).getRcode() == Rcode.NOERROR);
        }
    }

    /** Each of them asks twice, which may count only once: else the second is not asked any more after some hundred queries. */
    @Test
    void queriesThatFailOverBetweenUpstreamsThatAreDownLeaveRoomForOthers() throws Exception {
        try (ScriptedUpstream first = ScriptedUpstream.start(ScriptedUpstream.silent());
                ScriptedUpstream second = ScriptedUpstream.start(ScriptedUpstream.silent());
                TestServer server = ForwardTest.servingByOneLane(
                        first.address() + " " + second.address(), "health_check 20ms", "max_fails 1", "failover SERVFAIL")) {
            for (ScriptedUpstream upstream : List.of(first, second)) {
                upstream.script(asked -> asked.name().equals(".") ? List.of() : malformed(asked));
            }
            assertThat(server.ask("first.org.", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            for (ScriptedUpstream upstream : List.of(first, second)) {
                awaitHealthChecksFailed(server, upstream);
                upstream.script(asked -> asked.name().equals(".") ? List.of() : asked.rcode(Rcode.SERVFAIL));
            }
            for (int i = 0; i < 300; i++) {
                String name = "q" + i + ".org.";
                server.ask(name, Type.A);
                assertThat(Stream.concat(first.asked().stream(), second.asked().stream()).filter(asked -> asked.name().equals(name))).as(name).hasSize(2);
            }
        }
    }

    static void awaitHealthChecksFailed(TestServer server, ScriptedUpstream upstream) {
        Awaitility.await().untilAsserted(() -> assertThat(server.metrics()).containsPattern(
                "coredns_proxy_healthcheck_failures_total\\{proxy_name=\"forward\",to=\"" + upstream.address() + "\"} ([2-9]|[1-9][0-9]+)\\n"));
    }

    /** A reply to the question that ends within its only record. */
    private static List<byte[]> malformed(ScriptedUpstream.Asked asked) throws IOException {
        byte[] whole = asked.reply(asked.name() + " 60 A " + GOOD).toWire();
        return List.of(Arrays.copyOf(whole, whole.length - 2));
    }

    /** Deadlines that are over when they are looked at; what comes after them takes each of the few lanes, and in a lane nothing overtakes. */
    @Test
    void theDeadlineOfCancelIsKept() throws Exception {
        int each = 64;
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.silent());
                TestServer server = TestServer.start("""
                        late.org {
                            cancel 1ns
                            forward . %1$s
                        }
                        org {
                            forward . %1$s
                        }
                        """.formatted(upstream.address()));
                RawClient client = RawClient.to(server)) {
            for (String zone : List.of("late.org.", "org.")) {
                for (int i = 0; i < each; i++) {
                    client.send(false, TestServer.query("q" + i + "." + zone, Type.A).toWire());
                }
            }
            Awaitility.await().until(() -> upstream.asked().stream().map(ScriptedUpstream.Asked::name)
                    .filter(name -> name.matches("q[0-9]+\\.org\\.")).distinct().count() == each);
            assertThat(upstream.asked()).noneMatch(asked -> asked.name().endsWith(".late.org."));
            assertThat(new Message(client.receive(false)).getRcode()).isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void withoutMaxFailsNothingIsChecked() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.silent());
                TestServer server = ForwardTest.serving(upstream.address(), "read_timeout 50ms", "health_check 1ms", "max_fails 0")) {
            server.ask("a.org.", Type.A);
            server.ask("b.org.", Type.A);
            assertThat(upstream.healthChecks()).isEmpty();
        }
    }

    @Test
    void questionsAreSpelledAtRandomAndTheReplyMustRepeatThat() throws Exception {
        AtomicInteger mixed = new AtomicInteger();
        ScriptedUpstream.Script script = asked -> {
            mixed.addAndGet(asked.name().equals(asked.name().toLowerCase(Locale.ROOT)) ? 0 : 1);
            Message lie = asked.reply();
            Message lower = new Message(asked.query().getHeader().getID());
            lower.getHeader().setFlag(Flags.QR);
            lower.addRecord(Record.newRecord(
                    Name.fromString("abcdefghijklmnopqrstuvwxyz.org."), Type.A, 1), Section.QUESTION);
            lower.addRecord(ScriptedUpstream.record("abcdefghijklmnopqrstuvwxyz.org. 60 A " + FORGED), Section.ANSWER);
            lie.addRecord(ScriptedUpstream.record(asked.name() + " 60 A " + GOOD), Section.ANSWER);
            return List.of(lower.toWire(), lie.toWire());
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script);
                TestServer server = ForwardTest.serving(upstream.address(), "case_randomization")) {
            assertThat(TestServer.answers(server.ask("abcdefghijklmnopqrstuvwxyz.org.", Type.A)))
                    .singleElement().asString().isEqualToIgnoringCase("abcdefghijklmnopqrstuvwxyz.org. 60 IN A " + GOOD);
            assertThat(mixed.get()).isEqualTo(1);
        }
    }
}
