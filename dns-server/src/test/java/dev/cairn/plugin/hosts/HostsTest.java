package dev.cairn.plugin.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class HostsTest {
    /** Every reply to it was compared with CoreDNS 1.15; where they differ is on the page. */
    private static final String HOSTS = """
            # comment
            10.0.0.1 a.example.org A.Example.ORG short # 10.0.0.7 not.example.org
            10.0.0.1 a.example.org
            ::1\ta.example.org
              10.0.0.2   two.example.org
            10.0.0.3 two.example.org\r
            ::ffff:10.0.0.9 mapped.example.org
            fe80::1%eth0 zoned.example.org
            0x0a.1 bad.example.org
            not.an.address worse.example.org
            10.1.1.1 *.wild.example.org
            10.1.1.2 x.wild.example.org
            fd00::1 *.wild.example.org
            10.0.0.5 dot.example.org. bad..name last.example.org
            """;

    private static TestServer shared;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start(@TempDir Path sharedDirectory) throws Exception {
        Path hosts = Files.writeString(sharedDirectory.resolve("hosts"), HOSTS);
        shared = TestServer.start(". {\n hosts " + hosts + " {\n 10.9.9.9 inline.example.org a.example.org\n ttl 60\n }\n}");
    }

    @AfterAll
    static void stop() {
        shared.close();
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content).toString();
    }

    private static String summary(Message reply) {
        String flags = reply.getHeader().getFlag(Flags.AA) ? " aa" : "";
        String rows = String.join(", ", TestServer.answers(reply)).replaceAll("\\S+ (\\d+) IN ", "$1 ");
        assertThat(TestServer.rows(reply, Section.AUTHORITY)).isEmpty();
        return Rcode.string(reply.getRcode()) + flags + (rows.isEmpty() ? "" : ": " + rows);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a.example.org           | A    | NOERROR aa: 60 A 10.0.0.1, 60 A 10.9.9.9
            A.EXAMPLE.org           | A    | NOERROR aa: 60 A 10.0.0.1, 60 A 10.9.9.9
            a.example.org           | AAAA | NOERROR aa: 60 AAAA 0:0:0:0:0:0:0:1
            a.example.org           | TXT  | NOERROR aa
            a.example.org           | ANY  | NOERROR aa
            two.example.org         | A    | NOERROR aa: 60 A 10.0.0.2, 60 A 10.0.0.3
            two.example.org         | AAAA | NOERROR aa
            mapped.example.org      | A    | NOERROR aa: 60 A 10.0.0.9
            zoned.example.org       | AAAA | NOERROR aa: 60 AAAA fe80:0:0:0:0:0:0:1
            inline.example.org      | A    | NOERROR aa: 60 A 10.9.9.9
            dot.example.org         | A    | NOERROR aa: 60 A 10.0.0.5
            last.example.org        | A    | NOERROR aa: 60 A 10.0.0.5
            not.example.org         | A    | SERVFAIL
            bad.example.org         | A    | SERVFAIL
            worse.example.org       | A    | SERVFAIL
            example.org             | A    | SERVFAIL
            y.wild.example.org      | A    | NOERROR aa: 60 A 10.1.1.1
            y.wild.example.org      | AAAA | NOERROR aa: 60 AAAA fd00:0:0:0:0:0:0:1
            y.wild.example.org      | MX   | NOERROR aa
            *.wild.example.org      | A    | NOERROR aa: 60 A 10.1.1.1
            x.wild.example.org      | A    | NOERROR aa: 60 A 10.1.1.2
            x.wild.example.org      | AAAA | NOERROR aa
            z.y.wild.example.org    | A    | SERVFAIL
            wild.example.org        | A    | SERVFAIL
            1.0.0.10.in-addr.arpa   | PTR  | NOERROR aa: 60 PTR a.example.org., 60 PTR short.
            1.0.0.10.IN-ADDR.arpa   | PTR  | NOERROR aa: 60 PTR a.example.org., 60 PTR short.
            9.0.0.10.in-addr.arpa   | PTR  | NOERROR aa: 60 PTR mapped.example.org.
            9.9.9.10.in-addr.arpa   | PTR  | NOERROR aa: 60 PTR inline.example.org., 60 PTR a.example.org.
            1.1.1.10.in-addr.arpa   | PTR  | SERVFAIL
            99.0.0.10.in-addr.arpa  | PTR  | SERVFAIL
            1.0.0.10.in-addr.arpa   | A    | SERVFAIL
            a.example.org           | PTR  | SERVFAIL
            """)
    void answersFromFileAndInlineLines(String name, String type, String expected) throws Exception {
        assertThat(summary(shared.ask(name, Type.value(type)))).isEqualTo(expected);
    }

    @Test
    void answersReverseLookupsOfIpv6() throws Exception {
        try (TestServer server = TestServer.start(". {\n hosts /nonexistent {\n 2001:db8::567:89ab host.example.org\n }\n}")) {
            String name = "b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa.";
            assertThat(TestServer.answers(server.ask(name, Type.PTR))).containsExactly(name + " 3600 IN PTR host.example.org.");
        }
    }

    /** whoami below gives NOERROR with an additional section to what hosts lets through. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # options                                | name                  | type | passes on
            no_reverse                               | 1.0.0.10.in-addr.arpa | PTR  | true
            ttl 5                                    | 1.0.0.10.in-addr.arpa | PTR  | false
            ttl 5                                    | 2.0.0.10.in-addr.arpa | PTR  | true
            ttl 5                                    | a.example.net         | A    | true
            ttl 5                                    | b.example.org         | A    | false
            fallthrough                              | b.example.org         | A    | true
            fallthrough                              | b.example.org         | TXT  | true
            fallthrough                              | a.example.org         | TXT  | false
            fallthrough                              | a.example.org         | AAAA | false
            fallthrough x.example.org                | b.example.org         | A    | false
            fallthrough x.example.org                | b.x.example.org       | A    | true
            fallthrough; fallthrough_unsupported     | a.example.org         | TXT  | true
            fallthrough; fallthrough_unsupported     | a.example.org         | AAAA | false
            fallthrough x.org; fallthrough_unsupported | a.example.org       | TXT  | false
            """)
    void passesOnWhatItIsToldTo(String options, String name, String type, boolean passedOn) throws Exception {
        String corefile = ". {\n hosts /nonexistent example.org {\n 10.0.0.1 a.example.org a.example.net\n "
                + options.replace(";", "\n ") + "\n }\n whoami\n}";
        try (TestServer server = TestServer.start(corefile)) {
            Message reply = server.ask(name, Type.value(type));
            assertThat(!TestServer.rows(reply, Section.ADDITIONAL).isEmpty()).isEqualTo(passedOn);
        }
    }

    @Test
    void readsTheFileAgainWhenItChanges() throws Exception {
        Path hosts = directory.resolve("hosts");
        String corefile = ". {\n hosts " + hosts + " {\n 10.0.0.9 inline.example.org\n reload 20ms\n }\n}";
        try (TestServer server = TestServer.start(corefile)) {
            assertThat(server.logLinesWith("plugin/hosts: File does not exist: " + hosts)).hasSize(1);
            assertThat(server.ask("a.example.org", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(TestServer.answers(server.ask("inline.example.org", Type.A))).hasSize(1);
            assertThat(server.metrics()).contains("coredns_hosts_entries{hostsfile=\"" + hosts + "\"} 2\n");

            Files.writeString(hosts, "10.0.0.1 a.example.org\n");
            Files.setLastModifiedTime(hosts, FileTime.from(Instant.ofEpochSecond(1_700_000_000)));
            await().untilAsserted(
                    () -> assertThat(server.metrics()).contains("coredns_hosts_reload_timestamp_seconds 1.7e+09\n"));
            assertThat(summary(server.ask("a.example.org", Type.A))).isEqualTo("NOERROR aa: 3600 A 10.0.0.1");
            assertThat(summary(server.ask("inline.example.org", Type.A))).isEqualTo("NOERROR aa: 3600 A 10.0.0.9");
            assertThat(server.metrics()).contains("coredns_hosts_entries{hostsfile=\"" + hosts + "\"} 4\n");

            Files.writeString(hosts, "10.0.0.22 b.example.org\n");
            await().untilAsserted(
                    () -> assertThat(summary(server.ask("b.example.org", Type.A))).isEqualTo("NOERROR aa: 3600 A 10.0.0.22"));
            assertThat(server.ask("a.example.org", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);

            Files.delete(hosts);
            await().until(() -> server.logLinesWith("File does not exist: " + hosts).count() == 2);
            assertThat(summary(server.ask("b.example.org", Type.A))).isEqualTo("NOERROR aa: 3600 A 10.0.0.22");
        }
    }

    @Test
    void servesOverAHundredThousandNames() throws Exception {
        StringBuilder content = new StringBuilder();
        for (int i = 0; i < 120_000; i++) {
            content.append("0.0.0.0 ads").append(i).append(".example.org\n");
        }
        content.append("10.0.0.1");
        for (int i = 0; i < 20_000; i++) {
            content.append(" line").append(i).append(".example.org");
        }
        try (TestServer server = TestServer.start(". {\n hosts " + file("blocked", content.toString()) + "\n}")) {
            assertThat(summary(server.ask("ads0.example.org", Type.A))).isEqualTo("NOERROR aa: 3600 A 0.0.0.0");
            assertThat(summary(server.ask("ads119999.example.org", Type.A))).isEqualTo("NOERROR aa: 3600 A 0.0.0.0");
            assertThat(summary(server.ask("line19999.example.org", Type.A))).isEqualTo("NOERROR aa: 3600 A 10.0.0.1");
            assertThat(server.ask("ads120000.example.org", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(TestServer.answers(server.askTcp("0.0.0.0.in-addr.arpa", Type.PTR)))
                    .as("as many names of the address as a reply holds").hasSizeGreaterThan(1000)
                    .startsWith("0.0.0.0.in-addr.arpa. 3600 IN PTR ads0.example.org.");
        }
    }

    @Test
    void saysWhichNamesOfAFileItLeftOut() throws Exception {
        String hosts = file("hosts", "10.0.0.1 a.example.org\n10.0.0.2 b..example.org c..example.org\n");
        try (TestServer server = TestServer.start(". {\n hosts " + hosts + "\n}")) {
            assertThat(server.logLinesWith("plugin/hosts: Hosts file \"" + hosts + "\": left out 2 names"))
                    .singleElement().asString().contains("line 2: 'b..example.org' has an empty label");
        }
    }

    @Test
    void warnsOfADirectory() throws Exception {
        try (TestServer server = TestServer.start(". {\n hosts " + directory + "\n}")) {
            assertThat(server.logLinesWith("plugin/hosts: Hosts file \"" + directory + "\" is a directory")).hasSize(1);
        }
    }

    @Test
    void ignoresLinesThatAreNoEntriesButSaysSo() throws Exception {
        try (TestServer server = TestServer.start(". {\n hosts /nonexistent {\n fallthru\n }\n}")) {
            assertThat(server.logLinesWith("Corefile:3")).singleElement().asString().contains("fallthru").contains("fallthrough");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "hosts {\n ttl\n }",
        "hosts {\n ttl 0\n }",
        "hosts {\n ttl 65536\n }",
        "hosts {\n ttl 1m\n }",
        "hosts {\n reload\n }",
        "hosts {\n reload 5\n }",
        "hosts {\n reload -5s\n }",
        "hosts {\n no_reverse yes\n }",
        "hosts {\n fallthrough_unsupported\n }",
        "hosts {\n fallthrough\n fallthru\n }",
        "hosts {\n 10.0.0.1 a..b\n }",
        "hosts /etc/hosts a..b",
        "hosts /etc/hosts\n hosts /etc/hosts",
    })
    void refuses(String directive) throws Exception {
        assertThat(TestServer.errorsOf(". {\n " + directive + "\n}")).hasSize(1);
    }
}
