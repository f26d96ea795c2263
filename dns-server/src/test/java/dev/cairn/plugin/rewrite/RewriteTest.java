package dev.cairn.plugin.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.plugin.cancel.CancelSetup;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import dev.cairn.testing.ZoneRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.GenericEDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** The replies expected here are those of CoreDNS 1.15.0 to the same rules and zone, but for the letters' case. */
class RewriteTest {
    private static final String ZONE = """
            b.test. 300 A 192.0.2.1
            www.b.test. 300 A 192.0.2.2
            alias.b.test. 300 CNAME www.b.test.
            _http._tcp.b.test. 300 SRV 0 5 80 www.b.test.
            mx.b.test. 300 MX 10 www.b.test.
            naptr.b.test. 300 NAPTR 1 1 "u" "s" "" www.b.test.
            txt.b.test. 300 TXT hello
            ftp.service.us-west-1.consul. 300 A 10.10.10.10
            1.2.0.192.in-addr.arpa. 300 PTR www.b.test.
            my-app.com. 200 CNAME my-app.example.
            my-app.example. 200 CNAME my-app.com.cdn.example.net.
            my-app.com.cdn.example.net. 300 A 20.2.0.1
            my-app.com.other.cdn.com. 100 A 30.3.1.2
            """;

    private static TestChain chain(String rules, Plugin... below) throws Exception {
        return new TestChain(rules, List.of(new CancelSetup(), new RewriteSetup()), below);
    }

    private static String row(Record record) {
        return record.toString().replaceAll("\\s+", " ").replace(" IN ", " ");
    }

    /** A semicolon ends a line, {@code /} parts records. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            name a.test b.test                     | a.test A      | NOERROR  | a.test. 300 A 192.0.2.1
            name a.test b.test                     | txt.a.test TXT | NXDOMAIN |
            name exact a.test alias.b.test         | a.test A      | NOERROR  | a.test. 300 CNAME www.b.test. / www.b.test. 300 A 192.0.2.2
            name suffix .a.test .b.test            | www.a.test A  | NOERROR  | www.b.test. 300 A 192.0.2.2
            name suffix .a.test .b.test answer auto | www.a.test A | NOERROR | www.a.test. 300 A 192.0.2.2
            name suffix .a.test .b.test answer auto | alias.a.test A | NOERROR | alias.a.test. 300 CNAME www.a.test. / www.a.test. 300 A 192.0.2.2
            name suffix .a.test .b.test answer auto | _http._tcp.a.test SRV | NOERROR | _http._tcp.a.test. 300 SRV 0 5 80 www.a.test.
            name suffix .a.test .b.test answer auto | mx.a.test MX | NOERROR  | mx.a.test. 300 MX 10 www.a.test.
            name suffix .a.test .b.test answer auto | naptr.a.test NAPTR | NOERROR | naptr.a.test. 300 NAPTR 1 1 "u" "s" "" www.a.test.
            name suffix .a.test .b.test answer auto | nothing.a.test A | NXDOMAIN |
            name prefix web www                    | web.b.test A  | NOERROR  | www.b.test. 300 A 192.0.2.2
            name prefix web. www. answer auto      | web.b.test A  | NOERROR  | web.b.test. 300 A 192.0.2.2
            name substring a.test b.test           | www.a.test A  | NOERROR  | www.b.test. 300 A 192.0.2.2
            name substring a b                     | www.a.test A  | NOERROR  | www.b.test. 300 A 192.0.2.2
            name substring a.test b.test answer auto | alias.a.test A | NOERROR | alias.a.test. 300 CNAME www.b.test. / www.b.test. 300 A 192.0.2.2
            name regex (.*)-(us-west-1)\\.x\\.org {1}.service.{2}.consul | ftp-us-west-1.x.org A | NOERROR | ftp.service.us-west-1.consul. 300 A 10.10.10.10
            stop {; name regex (.*)-(us-west-1)\\.x\\.org {1}.service.{2}.consul; answer name (.*)\\.service\\.(us-west-1)\\.consul {1}-{2}.x.org; } | ftp-us-west-1.x.org A | NOERROR | ftp-us-west-1.x.org. 300 A 10.10.10.10
            stop {; name suffix .arpa .arpa; answer name auto; answer value (.*)\\.b\\.test\\. {1}.rocks.; } | 1.2.0.192.in-addr.arpa PTR | NOERROR | 1.2.0.192.in-addr.arpa. 300 PTR www.rocks.
            name regex ^(.*)\\.a\\.test\\.$ {1}.b.test answer name (.*)\\.b\\.test\\. {1}.a.test value (.*)\\.b\\.test\\. {1}.v.test | alias.a.test A | NOERROR | alias.a.test. 300 CNAME www.v.test. / www.a.test. 300 A 192.0.2.2
            name regex ^x\\.test\\.$ a..b answer auto | x.test A    | SERVFAIL |
            type MX TXT                            | txt.b.test MX | NOERROR  | txt.b.test. 300 TXT hello
            ttl b.test. 30-60                      | b.test A      | NOERROR  | b.test. 60 A 192.0.2.1
            ttl b.test. -60                        | b.test A      | NOERROR  | b.test. 60 A 192.0.2.1
            ttl b.test. 600-                       | b.test A      | NOERROR  | b.test. 600 A 192.0.2.1
            ttl regex (.*)\\.b\\.test 15           | www.b.test A  | NOERROR  | www.b.test. 15 A 192.0.2.2
            ttl regex (.*)\\.b\\.test 15           | my-app.example A | NOERROR | my-app.example. 200 CNAME my-app.com.cdn.example.net. / my-app.com.cdn.example.net. 300 A 20.2.0.1
            rcode suffix b.test. NXDOMAIN NOERROR  | nothing.b.test A | NOERROR |
            rcode exact b.test. 0 5                | b.test A      | REFUSED  | b.test. 300 A 192.0.2.1
            cname regex (.*).cdn.example.net. {1}.other.cdn.com. | my-app.com A | NOERROR | my-app.com. 200 CNAME my-app.example. / my-app.example. 200 CNAME my-app.com.other.cdn.com. / my-app.com.other.cdn.com. 100 A 30.3.1.2
            cname my-app.example. b.test           | my-app.com A  | NOERROR  | my-app.com. 200 CNAME b.test. / b.test. 300 A 192.0.2.1
            cname suffix example.net. nowhere.     | my-app.com A  | NOERROR  | my-app.com. 200 CNAME my-app.example. / my-app.example. 200 CNAME my-app.com.cdn.nowhere.
            continue name a.test c.test; rewrite name c.test b.test | a.test A | NOERROR | a.test. 300 A 192.0.2.1
            continue {; name suffix .a.test .c.test answer auto; }; rewrite name suffix .c.test .b.test answer auto | alias.a.test A | NOERROR | alias.a.test. 300 CNAME www.a.test. / www.a.test. 300 A 192.0.2.2
            stop name a.test c.test; rewrite name c.test b.test | a.test A | NXDOMAIN |
            continue ttl a.test 7; rewrite name a.test b.test | a.test A | NOERROR | a.test. 7 A 192.0.2.1
            continue name a.test b.test; rewrite ttl b.test 7 | a.test A | NOERROR | a.test. 7 A 192.0.2.1
            """)
    void answersAsCoreDnsDoes(String rules, String question, String code, String expected) throws Exception {
        String[] asked = question.split(" ", 2);
        try (TestChain chain = chain("rewrite " + rules.replace(';', '\n'), new ZoneRows(ZONE))) {
            Message query = TestServer.query(asked[0], Type.value(asked[1]));
            Message reply = chain.ask(query);
            assertThat(reply.getQuestion()).isEqualTo(query.getQuestion());
            assertThat(Rcode.string(reply.getRcode())).isEqualTo(code);
            assertThat(reply.getSection(Section.ANSWER).stream().map(RewriteTest::row).toList())
                    .isEqualTo(expected == null ? List.of() : List.of(expected.split(" / ")));
        }
    }

    @Test
    void theClientSeesItsQuestionAsItSpelledIt() throws Exception {
        try (TestServer server = TestServer.start(". {\n rewrite name a.test b.test\n hosts {\n 192.0.2.1 b.test\n }\n}")) {
            Message reply = server.ask("A.TeSt.", Type.A);
            assertThat(reply.getQuestion().getName()).hasToString("A.TeSt.");
            assertThat(TestServer.answers(reply)).containsExactly("A.TeSt. 3600 IN A 192.0.2.1");
        }
    }

    @Test
    void aClassCanBeRewritten() throws Exception {
        try (TestServer server = TestServer.start(". {\n rewrite class CH IN\n hosts {\n 192.0.2.1 b.test\n }\n}")) {
            Message query = Message.newQuery(Record.newRecord(Name.fromString("b.test."), Type.A, DClass.CH));
            Message reply = server.ask(query, false);
            assertThat(reply.getQuestion().getDClass()).isEqualTo(DClass.CH);
            assertThat(TestServer.answers(reply)).containsExactly("b.test. 3600 IN A 192.0.2.1");
        }
    }

    /** What the plugins below see of a query from 127.0.0.1:1053 to port 53: its options as {@code code=data}. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            local set 0xffee 0x61626364          |            | 65518=61626364
            local set 0xffee abcd                | 65518=00   | 65518=61626364
            local set 0xffee abcd revert         | 65001=00   | 65001=00 65518=61626364
            local append 0xffee abcd             | 65518=00   | 65518=00
            local append 0xffee abcd             | 65001=01   | 65001=01 65518=61626364
            local replace 0xffee abcd            | 65001=01   | 65001=01
            local replace 0xffee abcd            | 65518=01   | 65518=61626364
            local unset 0xffee                   | 65001=01 65518=01 | 65001=01
            local unset 0xffee                   |            |
            local set 65518 {qname}              |            | 65518=422e746573742e
            local set 65518 {qtype}              |            | 65518=0001
            local set 65518 {client_ip}          |            | 65518=7f000001
            local set 65518 {client_port}        |            | 65518=041d
            local set 65518 {server_ip}          |            | 65518=7f000001
            local set 65518 {server_port}        |            | 65518=0035
            local set 65518 {protocol}           |            | 65518=756470
            local set 65518 {some/label}         |            |
            nsid set                             |            | 3=
            nsid unset                           | 3=         |
            subnet set 24 56                     |            | 8=000118007f0000
            subnet set 12 56                     |            | 8=00010c007f00
            subnet set 0 0                       |            | 8=00010000
            """)
    void changesOptionsForThePluginsBelow(String rule, String before, String after) throws Exception {
        ZoneRows rows = new ZoneRows(ZONE);
        try (TestChain chain = chain("rewrite edns0 " + rule, rows)) {
            Message query = TestServer.query("B.test.", Type.A);
            if (before != null) {
                List<org.xbill.DNS.EDNSOption> options = new ArrayList<>();
                for (String option : before.split(" ", -1)) {
                    String[] pair = option.split("=", 2);
                    options.add(new GenericEDNSOption(Integer.parseInt(pair[0]), HexFormat.of().parseHex(pair[1])));
                }
                query.addRecord(new OPTRecord(1232, 0, 0, 0, options), Section.ADDITIONAL);
            }
            Message reply = chain.ask(query);
            assertThat(options(new Message(rows.packets().getFirst()))).isEqualTo(after == null ? "" : after);
            assertThat(reply.getOPT() == null).isEqualTo(before == null);
            assertThat(options(reply)).isEmpty();
            assertThat(reply.getSection(Section.ANSWER)).hasSize(1);
        }
    }

    private static String options(Message message) {
        Stream<org.xbill.DNS.EDNSOption> options = message.getOPT() == null ? Stream.of() : message.getOPT().getOptions().stream();
        return String.join(" ", options.map(option -> {
            byte[] wire = option.toWire();
            return option.getCode() + "=" + HexFormat.of().formatHex(Arrays.copyOfRange(wire, 4, wire.length));
        }).toList());
    }

    @Test
    void metadataGoesIntoNamesAndARuleWithoutItsValueIsSkipped() throws Exception {
        try (TestServer server = TestServer.start("""
                . {
                    metadata
                    view inside {
                        expr true
                    }
                    rewrite name regex ^([^.]+)\\.none\\.$ {1}.{some/thing}. metadata
                    rewrite name regex ^([^.]+)\\.test\\.$ {1}.{view/name}.example. metadata answer auto
                    hosts {
                        192.0.2.7 web.inside.example web.none
                    }
                }
                """)) {
            assertThat(TestServer.answers(server.ask("web.test", Type.A))).containsExactly("web.test. 3600 IN A 192.0.2.7");
            assertThat(TestServer.answers(server.ask("web.none", Type.A))).containsExactly("web.none. 3600 IN A 192.0.2.7");
        }
    }

    @Test
    void aliasesThatGoInCirclesEnd() throws Exception {
        ZoneRows rows = new ZoneRows("a.test. 60 CNAME b.test.\nc.test. 60 CNAME b.test.");
        try (TestChain chain = chain("rewrite cname b.test. c.test.", rows)) {
            Message reply = chain.ask(TestServer.query("a.test", Type.A));
            assertThat(row(reply.getSection(Section.ANSWER).getFirst())).isEqualTo("a.test. 60 CNAME c.test.");
            assertThat(rows.packets()).hasSizeBetween(2, 12);
        }
    }

    @Test
    void aDefectBelowIsAnsweredUnderTheClientsQuestion() throws Exception {
        Plugin broken = new Plugin() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public Step query(Exchange exchange) {
                throw new IllegalStateException("for the test");
            }
        };
        try (TestChain chain = chain("rewrite name a.test b.test", broken)) {
            Message reply = chain.ask(TestServer.query("a.test", Type.A));
            assertThat(reply.getQuestion().getName()).hasToString("a.test.");
            assertThat(reply.getRcode()).isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void aDeadlineIsAnsweredUnderTheClientsQuestion() throws Exception {
        Plugin keeping = new Plugin() {
            @Override
            public String name() {
                return "keeping";
            }

            @Override
            public Step query(Exchange exchange) {
                return Step.LATER;
            }
        };
        try (TestChain chain = chain("cancel 20ms\nrewrite name a.test b.test", keeping)) {
            Message reply = chain.ask(TestServer.query("a.test", Type.A));
            assertThat(reply.getQuestion().getName()).hasToString("a.test.");
            assertThat(reply.getRcode()).isEqualTo(Rcode.SERVFAIL);
        }
    }

    @Test
    void aPatternThatNeverEndsCostsOneQueryOnly() throws Exception {
        try (TestServer server = TestServer.start(". {\n errors\n rewrite name regex ^.*a.*a.*a.*a.*x$ b.test\n whoami\n}")) {
            String name = "a".repeat(60) + "." + "a".repeat(60) + ".";
            assertThat(server.ask(name, Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(server.logLinesWith("takes too many steps")).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "rewrite",
        "rewrite continue",
        "rewrite answer name a b",
        "rewrite nam a.test b.test",
        "rewrite name a.test",
        "rewrite name exakt a.test b.test",
        "rewrite name regex (a b",
        "rewrite name regex a {1}",
        "rewrite name regex (?=a) b",
        "rewrite name prefix a b answer",
        "rewrite name prefix a b auto",
        "rewrite name prefix a b answer names x y",
        "rewrite name prefix a b answer name x",
        "rewrite name prefix a b answer auto name x y",
        "rewrite name prefix a {x/y} metadata",
        "rewrite name regex a {xy} metadata",
        "rewrite type A",
        "rewrite type A B3",
        "rewrite class IN XX",
        "rewrite ttl a.test",
        "rewrite ttl a.test -",
        "rewrite ttl a.test 9-3",
        "rewrite ttl a.test 4294967295",
        "rewrite rcode a.test NOERROR",
        "rewrite rcode a.test NOERROR 99",
        "rewrite cname a.test",
        "rewrite edns0 local",
        "rewrite edns0 local put 1 2",
        "rewrite edns0 local set 70000 a",
        "rewrite edns0 local set 1 0xabc",
        "rewrite edns0 local set 1 {what}",
        "rewrite edns0 remote set 1 a",
        "rewrite edns0 subnet set 33 128",
        "rewrite edns0 nsid set 1",
    })
    void refuses(String directive) throws Exception {
        assertThat(TestServer.errorsOf(". {\n " + directive + "\n}")).hasSize(1).allSatisfy(error -> assertThat(error).contains("plugin/rewrite"));
    }
}
