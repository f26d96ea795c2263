package dev.cairn.plugin.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.TestServer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/** The Corefiles are those of CoreDNS's page. */
class TemplateTest {
    private static final String ADDRESSES = """
            . {
                template IN A example {
                    match (^|[.])ip-(?P<a>[0-9]*)-(?P<b>[0-9]*)-(?P<c>[0-9]*)-(?P<d>[0-9]*)[.]example[.]$
                    answer "{{ .Name }} 60 IN A {{ .Group.a }}.{{ .Group.b }}.{{ .Group.c }}.{{ .Group.d }}"
                    fallthrough
                }
                template IN A hex.example {
                    match "^ip0a(?P<b>[a-f0-9]{2})(?P<c>[a-f0-9]{2})(?P<d>[a-f0-9]{2})[.]hex[.]example[.]$"
                    answer "{{ .Name }} 60 IN A 10.{{ parseInt .Group.b 16 8 }}.{{ parseInt .Group.c 16 8 }}.{{ parseInt .Group.d 16 8 }}"
                }
                template IN A example.com {
                    match ^(?P<ip>[0-9]{1,3}(-[0-9]{1,3}){3})[.](?P<id>[a-z2-7]{26})[.]example[.]com[.]$
                    var ip replace(group('ip'), '-', '.')
                    expr "any(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'], incidr(ip, #))"
                    answer "{{ .Name }} 60 IN A {{ .Var.ip }}"
                    fallthrough
                }
                template IN PTR in-addr.arpa {
                    match ^(?P<d>[0-9]*)[.](?P<c>[0-9]*)[.](?P<b>[0-9]*)[.](?P<a>[0-9]*)[.]in-addr[.]arpa[.]$
                    answer "{{ .Name }} 60 IN PTR ip-{{ .Group.a }}-{{ .Group.b }}-{{ .Group.c }}-{{ .Group.d }}.example."
                }
                template IN MX example {
                    match ^ip-10-(?P<b>[0-9]*)-(?P<c>[0-9]*)-(?P<d>[0-9]*)[.]example[.]$
                    answer "{{ .Name }} 60 IN MX 10 {{ .Name }}"
                    additional "{{ .Name }} 60 IN A 10.{{ .Group.b }}.{{ .Group.c }}.{{ .Group.d }}"
                    authority "example. 60 IN NS ns0.example."
                    authority "example. 60 IN NS ns1.example."
                    fallthrough
                }
                template IN A foogle.com {
                    match "^foogle\\.com\\.$"
                    answer "foogle.com 60 IN CNAME ip-10-1-2-3.example"
                }
                hosts {
                    192.0.2.1 other.example
                }
            }
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            ip-10-1-2-3.example A                              | NOERROR  | ip-10-1-2-3.example. 60 IN A 10.1.2.3
            a.ip-10-1-2-3.example A                            | NOERROR  | a.ip-10-1-2-3.example. 60 IN A 10.1.2.3
            IP-10-1-2-3.Example A                              | NOERROR  | IP-10-1-2-3.Example. 60 IN A 10.1.2.3
            other.example A                                    | NOERROR  | other.example. 3600 IN A 192.0.2.1
            ip-10-1-2-300.example A                            | SERVFAIL | -
            ip0a7b7b7b.hex.example A                           | NOERROR  | ip0a7b7b7b.hex.example. 60 IN A 10.123.123.123
            x.hex.example A                                    | SERVFAIL | -
            10-1-2-3.abcdefghijklmnopqrstuvwxyz.example.com A  | NOERROR  | 10-1-2-3.abcdefghijklmnopqrstuvwxyz.example.com. 60 IN A 10.1.2.3
            9-1-2-3.abcdefghijklmnopqrstuvwxyz.example.com A   | SERVFAIL | -
            3.2.1.10.in-addr.arpa PTR                          | NOERROR  | 3.2.1.10.in-addr.arpa. 60 IN PTR ip-10-1-2-3.example.
            ip-10-1-2-3.example MX                             | NOERROR  | ip-10-1-2-3.example. 60 IN MX 10 ip-10-1-2-3.example.
            foogle.com A                                       | NOERROR  | foogle.com. 60 IN CNAME ip-10-1-2-3.example. / ip-10-1-2-3.example. 60 IN A 10.1.2.3
            """)
    void answersByPattern(String question, String code, String expected) throws Exception {
        try (TestServer server = TestServer.start(ADDRESSES)) {
            Message reply = server.ask(question.split(" ", 2)[0], Type.value(question.split(" ", 2)[1]));
            // hosts has nothing below it, so what falls through it and is unknown is SERVFAIL
            assertThat(Rcode.string(reply.getRcode())).isEqualTo(code);
            assertThat(TestServer.answers(reply)).isEqualTo(expected == null ? List.of() : List.of(expected.split(" / ")));
        }
    }

    @Test
    void allSectionsAreFilledAndTheAnswerIsAuthoritative() throws Exception {
        try (TestServer server = TestServer.start(ADDRESSES)) {
            Message reply = server.ask("ip-10-1-2-3.example", Type.MX);
            assertThat(reply.getHeader().getFlag(Flags.AA)).isTrue();
            assertThat(TestServer.rows(reply, Section.ADDITIONAL)).containsExactly("ip-10-1-2-3.example. 60 IN A 10.1.2.3");
            assertThat(TestServer.rows(reply, Section.AUTHORITY)).containsExactly("example. 60 IN NS ns0.example.", "example. 60 IN NS ns1.example.");
        }
    }

    @Test
    void invalidNamesDoNotExist() throws Exception {
        try (TestServer server = TestServer.start("""
                . {
                    template ANY ANY invalid {
                        rcode NXDOMAIN
                        authority "invalid. 60 {{ .Class }} SOA ns.invalid. hostmaster.invalid. (1 60 60 60 60)"
                        ederror 21 "Blocked according to RFC2606"
                    }
                    whoami
                }
                """)) {
            Message query = TestServer.query("a.invalid", Type.A);
            query.addRecord(new OPTRecord(1232, 0, 0), Section.ADDITIONAL);
            Message reply = server.ask(query, false);
            assertThat(reply.getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(TestServer.rows(reply, Section.AUTHORITY))
                    .containsExactly("invalid. 60 IN SOA ns.invalid. hostmaster.invalid. 1 60 60 60 60");
            EDNSOption option = reply.getOPT().getOptions().getFirst();
            assertThat(option).isInstanceOf(ExtendedErrorCodeOption.class);
            assertThat(((ExtendedErrorCodeOption) option).getErrorCode()).isEqualTo(21);
            assertThat(((ExtendedErrorCodeOption) option).getText()).isEqualTo("Blocked according to RFC2606");
            assertThat(server.ask(Message.newQuery(Record.newRecord(Name.fromString("a.invalid."), Type.TXT, DClass.CH)), false).getRcode())
                    .isEqualTo(Rcode.NXDOMAIN);
            assertThat(server.ask("a.valid", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(server.metrics())
                    .contains("coredns_template_matches_total{class=\"IN\",server=\"dns://:0\",type=\"A\",view=\"\",zone=\"invalid.\"} 1");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {{ .Name }} {{ .Zone }} {{ .Class }} {{ .Type }}         | a.b.test. test. IN TXT
            {{ index .Match 0 }}/{{ index .Match 1 }}                | a.b.test./a.b
            {{ .Group.first }} {{ index .Group `first` }}            | a.b a.b
            {{ .Regex }}                                             | ^(?P<first>.*)[.]test[.]$
            {{ .Remote }}                                            | 127.0.0.1
            {{ .Meta `view/name` }}/{{ .Meta `none/such` }}          | it/
            {{ .Question.Name }} {{ .Question.Qtype }}               | A.b.test. 16
            {{ (index .Message.Question 0).Qclass }}                 | 1
            {{ .Message.RecursionDesired }}                          | true
            {{ printf `%03d-%s-%x` 7 .Type 255 }}                    | 007-TXT-ff
            ~{{ .Group.first | printf `%s!` }}~                      | a.b!
            {{ if eq .Type `A` }}x{{ else if eq .Type `TXT` }}y{{ else }}z{{ end }} | y
            {{ if not (eq .Type `A`) }}x{{ end }}                    | x
            {{ if and (eq .Type `TXT`) (gt (len .Name) 3) }}x{{ end }} | x
            a {{- ` b ` -}} c                                        | a b c
            a{{/* nothing */}}b                                      | ab
            {{ slice .Name 0 3 }}                                    | a.b
            {{ .Group.missing }}                                     | <no value>
            {{ parseInt `ff` 16 64 }}                                | 255
            {{ 'a\\x2d\\u0062\\143' }}                               | a-bc
            {{ 'a\\tb' }}                                            | a\\009b
            """)
    void templatesSay(String template, String expected) throws Exception {
        try (TestServer server = TestServer.start("""
                test {
                    metadata
                    view it
                    template IN TXT {
                        match ^(?P<first>.*)[.]test[.]$
                        answer "{{ .Name }} 60 IN TXT '%s'"
                    }
                }
                """.formatted(template.replace("%", "%%").replace("%%", "%")).replace("'", "\\\""))) {
            Record record = server.ask("A.b.test", Type.TXT).getSection(Section.ANSWER).getFirst();
            assertThat(((TXTRecord) record).getStrings()).containsExactly(expected);
        }
    }

    /** Clients choose the type, and a counter once made stays. */
    @Test
    void typesWithoutANameAreCountedTogether() throws Exception {
        try (TestServer server = TestServer.start(". {\n template ANY ANY {\n rcode NXDOMAIN\n }\n}")) {
            for (int type = 1000; type < 1010; type++) {
                server.ask("a.test", type);
            }
            assertThat(server.metrics()).contains("coredns_template_matches_total{class=\"IN\",server=\"dns://:0\",type=\"other\",view=\"\",zone=\".\"} 10")
                    .doesNotContain("TYPE10");
        }
    }

    static Stream<String> broken() {
        return Stream.of("{{ index .Match 9 }}", "{{ parseInt .Name 10 8 }}", "{{ .Name.x }}");
    }

    @Test
    void failuresAreCountedAndTold() throws Exception {
        for (String action : broken().toList()) {
            try (TestServer server = TestServer.start(". {\n errors\n template IN A {\n answer \"{{ .Name }} 60 IN A " + action + "\"\n }\n}")) {
                assertThat(server.ask("a.test", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
                assertThat(server.metrics()).containsPattern("coredns_template_template_failures_total\\{.*section=\"answer\".*\\} 1");
                assertThat(server.logLinesWith("template")).isNotEmpty();
            }
        }
        try (TestServer server = TestServer.start(". {\n template IN A {\n answer \"{{ .Name }} 60 IN A {{ .Name }}\"\n }\n}")) {
            assertThat(server.ask("a.test", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(server.metrics()).containsPattern("coredns_template_rr_failures_total\\{.*section=\"answer\".*\\} 1");
        }
    }

    @Test
    void servfailHasNoRecords() throws Exception {
        try (TestServer server = TestServer.start(". {\n template IN A {\n rcode SERVFAIL\n answer \"a. A 192.0.2.1\"\n }\n}")) {
            Message reply = server.ask("a", Type.A);
            assertThat(reply.getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(TestServer.answers(reply)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "template",
        "template IN",
        "template XX A",
        "template IN B3",
        "template IN A {\n match\n }",
        "template IN A {\n match (\n }",
        "template IN A {\n answer\n }",
        "template IN A {\n answer \"a 60 IN A 300.1.1.1\"\n }",
        "template IN A {\n answer \"{{ .Foo }} 60 IN A 10.0.0.1\"\n }",
        "template IN A {\n answer \"{{ range .Match }}x{{ end }}\"\n }",
        "template IN A {\n answer \"{{ .Name \"\n }",
        "template IN A {\n answer \"{{ if .Name }}x\"\n }",
        "template IN A {\n answer \"{{ end }}\"\n }",
        "template IN A {\n answer \"{{ .Name | foo }}\"\n }",
        "template IN A {\n rcode NXDOMAINS\n }",
        "template IN A {\n ederror\n }",
        "template IN A {\n ederror x\n }",
        "template IN A {\n var len 1\n }",
        "template IN A {\n var x\n }",
        "template IN A {\n expr name()\n }",
        "template IN A {\n answers x\n }",
    })
    void refuses(String directive) throws Exception {
        assertThat(TestServer.errorsOf(". {\n " + directive + "\n}")).hasSize(1).allSatisfy(error -> assertThat(error).contains("plugin/template"));
    }
}
