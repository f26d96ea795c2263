package dev.cairn.plugin.dns64;

import static dev.cairn.testing.TestServer.answers;
import static dev.cairn.testing.TestServer.query;
import static dev.cairn.testing.TestServer.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.Answer;
import dev.cairn.wire.DnsType;
import dev.cairn.wire.HeaderFlag;
import dev.cairn.wire.Rcode;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.WireName;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

class Dns64Test {
    private static final String HOSTS = """
             hosts {
              192.0.2.33 old.example
              192.0.2.34 both.example
              2001:db8::1 both.example
              ::ffff:0:1 odd.example
              ttl 60
             }
            """;

    private static TestServer server(String dns64) throws Exception {
        return TestServer.start(". {\n" + dns64 + "\n" + HOSTS + "}");
    }

    private static Message askV6(TestServer server, String name) throws IOException {
        SimpleResolver resolver = new SimpleResolver(InetAddress.ofLiteral("::1"));
        resolver.setPort(server.port());
        resolver.setEDNS(-1);
        resolver.setTimeout(Duration.ofMinutes(2));
        return resolver.send(query(name, Type.AAAA));
    }

    @ParameterizedTest
    @CsvSource({
        // the examples of RFC 6052 section 2.4
        "2001:db8::/32, 2001:db8:c000:221:0:0:0:0",
        "2001:db8:100::/40, 2001:db8:1c0:2:21:0:0:0",
        "2001:db8:122::/48, 2001:db8:122:c000:2:2100:0:0",
        "2001:db8:122:300::/56, 2001:db8:122:3c0:0:221:0:0",
        "2001:db8:122:344::/64, 2001:db8:122:344:c0:2:2100:0",
        "2001:db8:122:344::/96, 2001:db8:122:344:0:0:c000:221",
        "64:ff9b::/96, 64:ff9b:0:0:0:0:c000:221"
    })
    void embedsIpv4Addresses(String prefix, String address) throws Exception {
        try (TestServer server = server("dns64 " + prefix)) {
            assertThat(answers(askV6(server, "old.example"))).containsExactly("old.example. 60 IN AAAA " + address);
            assertThat(answers(server.ask("old.example", Type.AAAA))).as("a client with IPv4").isEmpty();
            assertThat(answers(server.ask("old.example", Type.A))).containsExactly("old.example. 60 IN A 192.0.2.33");
            assertThat(server.metrics()).contains("coredns_dns64_requests_translated_total{server=\"dns://:0\"} 1\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "dns64, both.example, 2001:db8:0:0:0:0:0:1",
        "dns64 { translate_all }, both.example, 64:ff9b:0:0:0:0:c000:222",
        "dns64 { prefix 64:1337::/96 }, old.example, 64:1337:0:0:0:0:c000:221",
        "dns64 64:1337::/96 { translate_all }, both.example, 64:1337:0:0:0:0:c000:222"
    })
    void translatesWhatItIsToldTo(String directive, String name, String address) throws Exception {
        try (TestServer server = server(directive.replace("{ ", "{\n").replace(" }", "\n}"))) {
            assertThat(answers(askV6(server, name))).containsExactly(name + ". 60 IN AAAA " + address);
        }
    }

    @Test
    void ipv4ClientsMayBeServedToo() throws Exception {
        try (TestServer server = server("dns64 {\n allow_ipv4\n}")) {
            assertThat(answers(server.ask("old.example", Type.AAAA))).containsExactly("old.example. 60 IN AAAA 64:ff9b:0:0:0:0:c000:221");
            Message validating = query("old.example", Type.AAAA);
            validating.getHeader().setFlag(Flags.CD);
            validating.addRecord(new OPTRecord(1232, 0, 0, ExtendedFlags.DO), Section.ADDITIONAL);
            assertThat(answers(server.ask(validating, false))).as("a client that checks signatures").isEmpty();
        }
    }

    /** Has an alias to an address, an SOA for other types, and a mapped address; answers at once or when told. */
    private static final class Upstream implements Plugin {
        final BlockingQueue<Exchange> held = new LinkedBlockingQueue<>();
        volatile boolean holding;
        volatile int rcodeOfAaaa = Rcode.NOERROR;
        volatile int soaTtl = 20;
        volatile boolean mapped;

        @Override
        public String name() {
            return "upstream";
        }

        @Override
        public Step query(Exchange exchange) {
            if (holding) {
                held.add(exchange);
                return Step.LATER;
            }
            return reply(exchange);
        }

        Step reply(Exchange exchange) {
            WireName target = WireName.parse("target.example");
            Answer answer = exchange.answer();
            answer.set(HeaderFlag.RA | HeaderFlag.AD);
            WireName owner = WireName.of(exchange.query().name(), 0, exchange.query().nameLength());
            if (exchange.query().type() == DnsType.A) {
                answer.add(Answer.Section.ANSWER, Rdata.single(owner, DnsType.CNAME, 300, Rdata.name(target)));
                answer.add(Answer.Section.ANSWER, Rdata.single(target, DnsType.A, 300, new byte[] {(byte) 192, 0, 2, 33}));
                answer.add(Answer.Section.AUTHORITY, Rdata.single(WireName.parse("example"), DnsType.NS, 300, Rdata.name(target)));
                return Step.ANSWERED;
            }
            if (rcodeOfAaaa == Rcode.SERVFAIL) {
                return exchange.fail(Rcode.SERVFAIL, "AAAA is too much for this upstream");
            }
            answer.rcode(rcodeOfAaaa);
            if (mapped) {
                byte[] address = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 0, 0, 1};
                answer.add(Answer.Section.ANSWER, Rdata.single(owner, DnsType.AAAA, 300, address));
            }
            answer.add(Answer.Section.AUTHORITY, Rdata.single(WireName.parse("example"), DnsType.SOA, soaTtl,
                    Rdata.soa(target, target, 1, 2, 3, 4, 5)));
            return Step.ANSWERED;
        }
    }

    private static Message ask(Upstream upstream) throws Exception {
        try (TestChain chain = new TestChain("dns64 {\n allow_ipv4\n}", List.of(new Dns64Setup()), upstream)) {
            if (upstream.holding) {
                Thread.ofVirtual().start(() -> {
                    try {
                        for (int i = 0; i < 2; i++) {
                            Exchange exchange = upstream.held.take();
                            exchange.resume(upstream.reply(exchange));
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            }
            return chain.ask(query("www.example", Type.AAAA));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void translatesAtTheEndOfAliasesAndKeepsTheRest(boolean later) throws Exception {
        Upstream upstream = new Upstream();
        upstream.holding = later;
        Message reply = ask(upstream);
        assertThat(answers(reply)).containsExactly(
                "www.example. 300 IN CNAME target.example.", "target.example. 20 IN AAAA 64:ff9b:0:0:0:0:c000:221");
        assertThat(rows(reply, Section.AUTHORITY)).containsExactly("example. 300 IN NS target.example.");
        assertThat(reply.getHeader().getFlag(Flags.RA)).isTrue();
        assertThat(reply.getHeader().getFlag(Flags.AD)).as("nobody signed this").isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0, false, 2", "2, false, 2", "4, false, 2", "3, false, 0", "0, true, 2"})
    void onlyNoSuchNameIsAnAnswer(int rcode, boolean mapped, int records) throws Exception {
        Upstream upstream = new Upstream();
        upstream.rcodeOfAaaa = rcode;
        upstream.mapped = mapped;
        Message reply = ask(upstream);
        assertThat(answers(reply)).hasSize(records);
        assertThat(reply.getRcode()).isEqualTo(rcode == Rcode.NXDOMAIN ? Rcode.NXDOMAIN : Rcode.NOERROR);
    }

    @ParameterizedTest
    @CsvSource({"dns64 10.0.0.0/8, 'is no prefix for IPv4'", "dns64 64:ff9b::/97, '32, 40, 48, 56, 64 or 96'", "dns64 64:ff9b::, 'such as'",
        "dns64 a b, 'write: dns64 [PREFIX]'", "dns64 { prefix }, 'write: prefix PREFIX'", "dns64 { prefx 64:ff9b::/96 }, 'did you mean prefix'",
        "dns64 { allow_ipv4 yes }, 'write: allow_ipv4'"})
    void saysWhatIsWrong(String directive, String message) throws Exception {
        List<String> errors = TestServer.errorsOf(". {\n" + directive.replace("{ ", "{\n").replace(" }", "\n}") + "\n whoami\n}");
        assertThat(errors).hasSize(1).first().asString().contains(message);
    }
}
