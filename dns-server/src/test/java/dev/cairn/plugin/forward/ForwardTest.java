package dev.cairn.plugin.forward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.ScriptedUpstream;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.CookieOption;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/** What clients get through a forwarding server whose upstreams behave. */
class ForwardTest {
    /** Unless the lines say how long to wait for a reply it is as long as can be: to ask again on a busy machine would change what comes. */
    static String corefile(String to, String... lines) {
        String patience = Stream.of(lines).anyMatch(line -> line.startsWith("read_timeout")) ? "" : "read_timeout 1h\n  ";
        return ". {\n errors\n forward . " + to + " {\n  " + patience + String.join("\n  ", lines) + "\n }\n}\n";
    }

    static TestServer serving(String to, String... lines) throws Exception {
        return TestServer.start(corefile(to, lines));
    }

    /** The same where all queries go over the sockets and connections of one thread. */
    static TestServer servingByOneLane(String to, String... lines) throws Exception {
        return TestServer.startWithOneLane(corefile(to, lines));
    }

    @Test
    void theAnswerOfTheUpstreamGetsToTheClientOverUdpAndTcp() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address("192.0.2.1")); TestServer server = serving(upstream.address())) {
            Message udp = server.ask("WWW.Example.org.", Type.A);
            assertThat(TestServer.answers(udp)).singleElement().asString().isEqualToIgnoringCase("WWW.Example.org. 60 IN A 192.0.2.1");
            assertThat(udp.getQuestion().getName()).hasToString("WWW.Example.org.");
            assertThat(udp.getHeader().getFlag(Flags.RA)).isTrue();
            assertThat(TestServer.answers(server.askTcp("example.org.", Type.A))).containsExactly("example.org. 60 IN A 192.0.2.1");
            assertThat(upstream.asked()).extracting(ScriptedUpstream.Asked::tcp).containsExactly(false, true);
        }
    }

    @Test
    void everythingOfAReplyIsPassedOn() throws Exception {
        ScriptedUpstream.Script script = asked -> {
            Message reply = asked.reply();
            reply.getHeader().setRcode(Rcode.NXDOMAIN);
            reply.getHeader().setFlag(Flags.AA);
            reply.getHeader().setFlag(Flags.AD);
            reply.addRecord(ScriptedUpstream.record("org. 900 SOA ns.org. root.org. 1 2 3 4 5"), Section.AUTHORITY);
            reply.addRecord(ScriptedUpstream.record("ns.org. 30 A 192.0.2.53"), Section.ADDITIONAL);
            return List.of(reply.toWire());
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script); TestServer server = serving(upstream.address())) {
            Message reply = server.ask("none.org.", Type.A);
            assertThat(reply.getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(reply.getHeader().getFlag(Flags.AA)).isTrue();
            assertThat(reply.getHeader().getFlag(Flags.AD)).isTrue();
            assertThat(TestServer.rows(reply, Section.AUTHORITY)).containsExactly("org. 900 IN SOA ns.org. root.org. 1 2 3 4 5");
            assertThat(TestServer.rows(reply, Section.ADDITIONAL)).containsExactly("ns.org. 30 IN A 192.0.2.53");
        }
    }

    @Test
    void theUpstreamSeesTheQuestionAndDnssecBitsButNoHopByHopOptions() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address("192.0.2.1")); TestServer server = serving(upstream.address())) {
            Message query = TestServer.query("Mixed.Example.org.", Type.A);
            query.getHeader().setFlag(Flags.CD);
            query.getHeader().setFlag(Flags.AD);
            query.addRecord(new OPTRecord(4096, 0, 0, ExtendedFlags.DO, List.of(new CookieOption(new byte[8]))), Section.ADDITIONAL);
            Message reply = server.ask(query, false);
            assertThat(reply.getOPT().getOptions()).isEmpty();
            Message asked = upstream.asked().getFirst().query();
            assertThat(asked.getQuestion().getName()).hasToString("mixed.example.org.");
            assertThat(asked.getHeader().getFlag(Flags.RD)).isTrue();
            assertThat(asked.getHeader().getFlag(Flags.CD)).isTrue();
            assertThat(asked.getHeader().getFlag(Flags.AD)).isTrue();
            assertThat(asked.getHeader().getID()).isNotEqualTo(query.getHeader().getID());
            assertThat(asked.getOPT().getOptions()).extracting(EDNSOption::getCode).isEmpty();
            assertThat(asked.getOPT().getPayloadSize()).isEqualTo(1232);
            assertThat(asked.getOPT().getFlags() & ExtendedFlags.DO).isNotZero();
        }
    }

    @Test
    void aClientSubnetIsPassedOnAndItsAnswerBack() throws Exception {
        ScriptedUpstream.Script script = asked -> {
            Message reply = asked.reply(asked.name() + " 60 A 192.0.2.1");
            reply.addRecord(new OPTRecord(1232, 0, 0, 0, List.of(new ClientSubnetOption(24, 16, InetAddress.ofLiteral("203.0.113.0")))),
                    Section.ADDITIONAL);
            return List.of(reply.toWire());
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script); TestServer server = serving(upstream.address())) {
            Message query = TestServer.query("a.org.", Type.A);
            query.addRecord(new OPTRecord(1232, 0, 0, 0, List.of(new ClientSubnetOption(24, InetAddress.ofLiteral("203.0.113.0")))),
                    Section.ADDITIONAL);
            assertThat(server.ask(query, false).getOPT().getOptions()).singleElement()
                    .satisfies(option -> assertThat(((ClientSubnetOption) option).getScopePrefixLength()).isEqualTo(16));
            assertThat(upstream.asked().getFirst().query().getOPT().getOptions()).extracting(EDNSOption::getCode).containsExactly(8);
            Message without = TestServer.query("a.org.", Type.A);
            without.addRecord(new OPTRecord(1232, 0, 0), Section.ADDITIONAL);
            assertThat(server.ask(without, false).getOPT().getOptions()).isEmpty();
        }
    }

    @Test
    void onlyNamesOfTheZoneAreForwardedAndExceptedOnesAreNot() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address("192.0.2.1"));
                TestServer server = TestServer.start(". {\n forward example.org " + upstream.address() + " {\n except sub.example.org\n }\n whoami\n}")) {
            assertThat(TestServer.answers(server.ask("a.example.org.", Type.A))).hasSize(1);
            assertThat(TestServer.answers(server.ask("example.org.", Type.A))).hasSize(1);
            assertThat(TestServer.answers(server.ask("sub.example.org.", Type.A))).isEmpty();
            assertThat(TestServer.answers(server.ask("a.sub.example.org.", Type.A))).isEmpty();
            assertThat(TestServer.answers(server.ask("example.net.", Type.A))).isEmpty();
        }
    }

    @Test
    void severalForwardsOfABlockAreAskedInTheOrderOfTheFile() throws Exception {
        try (ScriptedUpstream lab = ScriptedUpstream.start(ScriptedUpstream.address("192.0.2.1"));
                ScriptedUpstream rest = ScriptedUpstream.start(ScriptedUpstream.address("192.0.2.2"));
                TestServer server = TestServer.start(". {\n forward lab.local " + lab.address() + "\n forward . " + rest.address() + "\n}")) {
            assertThat(TestServer.answers(server.ask("a.lab.local.", Type.A))).containsExactly("a.lab.local. 60 IN A 192.0.2.1");
            assertThat(TestServer.answers(server.ask("a.local.", Type.A))).containsExactly("a.local. 60 IN A 192.0.2.2");
        }
    }

    @Test
    void aTruncatedAnswerIsAskedForAgainByTcp() throws Exception {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            rows.add("big.org. 60 A 192.0.2." + i);
        }
        ScriptedUpstream.Script script = asked -> {
            Message reply = asked.reply(asked.tcp() ? rows.toArray(String[]::new) : new String[0]);
            if (!asked.tcp()) {
                reply.getHeader().setFlag(Flags.TC);
            }
            return List.of(reply.toWire());
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script); TestServer server = serving(upstream.address(), "prefer_udp")) {
            Message whole = server.askTcp("big.org.", Type.A);
            assertThat(TestServer.answers(whole)).hasSize(200);
            assertThat(upstream.asked()).extracting(ScriptedUpstream.Asked::tcp).containsExactly(false, true);
            Message cut = server.ask("big.org.", Type.A);
            assertThat(cut.getHeader().getFlag(Flags.TC)).isTrue();
            assertThat(TestServer.answers(cut)).isNotEmpty();
        }
    }

    @Test
    void forceTcpUsesTcpForUdpClients() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address("192.0.2.1"));
                TestServer server = serving(upstream.address(), "force_tcp", "prefer_udp")) {
            assertThat(TestServer.answers(server.ask("a.org.", Type.A))).hasSize(1);
            assertThat(upstream.asked()).allMatch(ScriptedUpstream.Asked::tcp);
        }
    }

    @Test
    void equalQuestionsAtOneTimeAreAskedOnce() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        ScriptedUpstream.Script script = asked -> {
            go.await(2, TimeUnit.MINUTES);
            return List.of(asked.reply(asked.name() + " 60 A 192.0.2.1").toWire());
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script); TestServer server = serving(upstream.address())) {
            List<CompletableFuture<Message>> replies = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String name = i % 2 == 0 ? "SAME.org." : "same.org.";
                replies.add(CompletableFuture.supplyAsync(() -> {
                    try {
                        return server.ask(name, Type.A);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }, task -> Thread.ofVirtual().start(task)));
            }
            Awaitility.await().until(() -> server.metrics().contains("cairn_forward_joined_queries_total 19"));
            go.countDown();
            for (int i = 0; i < 20; i++) {
                Message reply = replies.get(i).get(2, TimeUnit.MINUTES);
                assertThat(TestServer.answers(reply)).hasSize(1);
                assertThat(reply.getQuestion().getName()).hasToString(i % 2 == 0 ? "SAME.org." : "same.org.");
            }
            assertThat(upstream.asked()).hasSize(1);
        }
    }

    @Test
    void otherClassesAreForwarded() throws Exception {
        ScriptedUpstream.Script script = asked -> {
            Message reply = asked.reply();
            reply.addRecord(new TXTRecord(asked.query().getQuestion().getName(), DClass.CH, 0, "someone else"), Section.ANSWER);
            return List.of(reply.toWire());
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script); TestServer server = serving(upstream.address())) {
            Message query = Message.newQuery(Record.newRecord(Name.fromString("version.bind."), Type.TXT, DClass.CH));
            assertThat(TestServer.answers(server.ask(query, false))).containsExactly("version.bind. 0 CH TXT \"someone else\"");
        }
    }

    @Test
    void metricsAreNamedAsInCoreDns() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address("192.0.2.1")); TestServer server = serving(upstream.address())) {
            server.ask("a.org.", Type.A);
            server.askTcp("a.org.", Type.A);
            String to = "proxy_name=\"forward\",rcode=\"NOERROR\",to=\"" + upstream.address() + "\"";
            assertThat(server.metrics())
                    .contains("coredns_proxy_request_duration_seconds_count{" + to + "} 2")
                    .contains("coredns_proxy_request_duration_seconds_bucket{" + to + ",le=\"0.00025\"}")
                    .contains("coredns_proxy_conn_cache_misses_total{proto=\"udp\",proxy_name=\"forward\",to=\"" + upstream.address() + "\"} 1")
                    .contains("coredns_proxy_conn_cache_misses_total{proto=\"tcp\",proxy_name=\"forward\",to=\"" + upstream.address() + "\"} 1")
                    .contains("coredns_forward_healthcheck_broken_total 0")
                    .contains("coredns_forward_max_concurrent_rejects_total 0");
        }
    }

    @Test
    void theUpstreamIsKnownToTheLogAndTheAnswerIsTheForwards() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ScriptedUpstream.address("192.0.2.1"));
                TestServer server = TestServer.start(". {\n prometheus 127.0.0.1:0\n metadata\n log . \"via {/forward/upstream}\"\n forward . " + upstream.address() + "\n}")) {
            server.ask("a.org.", Type.A);
            Awaitility.await().until(() -> server.logLinesWith("via " + upstream.address()).count() == 1);
            assertThat(server.metrics()).containsPattern("coredns_dns_responses_total\\{plugin=\"forward\",rcode=\"NOERROR\".*} 1");
        }
    }
}
