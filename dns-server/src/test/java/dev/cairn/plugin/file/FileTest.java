package dev.cairn.plugin.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class FileTest {
    private static final String ZONE = """
            $TTL 300
            @         3600 IN SOA ns admin 1 7200 3600 1209600 60
                      IN NS  ns
            ns        IN A   192.0.2.53
            www       IN A   192.0.2.80
                      IN AAAA 2001:db8::80
            alias     IN CNAME www
            outside   IN CNAME www.example.net.
            other     IN CNAME here.example.com.
            self      IN CNAME self
            one       IN CNAME two
            two       IN CNAME one
            gone      IN CNAME missing
            into      IN CNAME host.child
            *.wild    IN TXT "from the wildcard"
            deep.er   IN A   192.0.2.81
            mail      IN MX  10 www
            child     IN NS  ns.child
            ns.child  IN A   192.0.2.54
            old       IN DNAME new
            a.new     IN A   192.0.2.82
            $GENERATE 1-3 node-$ A 192.0.2.$
            """;

    @TempDir
    Path directory;

    private Path zone(String text) throws IOException {
        return Files.writeString(directory.resolve("db"), text);
    }

    private TestServer server() throws Exception {
        return TestServer.start("example.org {\n    file " + zone(ZONE) + "\n}\nexample.com {\n    hosts {\n 192.0.2.99 here.example.com\n}\n}\n");
    }

    static Stream<Arguments> answers() {
        String soa = "example.org. 60 IN SOA ns.example.org. admin.example.org. 1 7200 3600 1209600 60";
        String ns = "example.org. 300 IN NS ns.example.org.";
        return Stream.of(
                row("www", Type.A, Rcode.NOERROR, true, List.of("www.example.org. 300 IN A 192.0.2.80"), List.of(ns), List.of()),
                row("www", Type.TXT, Rcode.NOERROR, true, List.of(), List.of(soa), List.of()),
                row("missing", Type.A, Rcode.NXDOMAIN, true, List.of(), List.of(soa), List.of()),
                row("er", Type.A, Rcode.NOERROR, true, List.of(), List.of(soa), List.of()),
                row("x.y.wild", Type.TXT, Rcode.NOERROR, true, List.of("x.y.wild.example.org. 300 IN TXT \"from the wildcard\""), List.of(ns),
                        List.of()),
                row("alias", Type.A, Rcode.NOERROR, true,
                        List.of("alias.example.org. 300 IN CNAME www.example.org.", "www.example.org. 300 IN A 192.0.2.80"), List.of(ns), List.of()),
                row("outside", Type.A, Rcode.NOERROR, true, List.of("outside.example.org. 300 IN CNAME www.example.net."), List.of(ns), List.of()),
                row("other", Type.A, Rcode.NOERROR, true,
                        List.of("other.example.org. 300 IN CNAME here.example.com.", "here.example.com. 3600 IN A 192.0.2.99"), List.of(ns),
                        List.of()),
                row("gone", Type.A, Rcode.NXDOMAIN, true, List.of("gone.example.org. 300 IN CNAME missing.example.org."), List.of(soa), List.of()),
                row("self", Type.A, Rcode.SERVFAIL, false, List.of(), List.of(), List.of()),
                row("one", Type.A, Rcode.SERVFAIL, false, List.of(), List.of(), List.of()),
                row("self", Type.CNAME, Rcode.NOERROR, true, List.of("self.example.org. 300 IN CNAME self.example.org."), List.of(ns), List.of()),
                row("mail", Type.MX, Rcode.NOERROR, true, List.of("mail.example.org. 300 IN MX 10 www.example.org."), List.of(ns),
                        List.of("www.example.org. 300 IN A 192.0.2.80", "www.example.org. 300 IN AAAA 2001:db8:0:0:0:0:0:80")),
                row("host.child", Type.A, Rcode.NOERROR, false, List.of(), List.of("child.example.org. 300 IN NS ns.child.example.org."),
                        List.of("ns.child.example.org. 300 IN A 192.0.2.54")),
                row("child", Type.DS, Rcode.NOERROR, true, List.of(), List.of(soa), List.of()),
                row("into", Type.A, Rcode.NOERROR, true, List.of("into.example.org. 300 IN CNAME host.child.example.org."),
                        List.of("child.example.org. 300 IN NS ns.child.example.org."), List.of("ns.child.example.org. 300 IN A 192.0.2.54")),
                row("a.old", Type.A, Rcode.NOERROR, true,
                        List.of("old.example.org. 300 IN DNAME new.example.org.", "a.old.example.org. 300 IN CNAME a.new.example.org.",
                                "a.new.example.org. 300 IN A 192.0.2.82"), List.of(ns), List.of()),
                row("node-2", Type.A, Rcode.NOERROR, true, List.of("node-2.example.org. 300 IN A 192.0.2.2"), List.of(ns), List.of()));
    }

    private static Arguments row(String name, int type, int rcode, boolean aa, List<String> answer, List<String> authority, List<String> additional) {
        return Arguments.of(name, type, rcode, aa, answer, authority, additional);
    }

    @Test
    void questionsAreAnsweredFromTheZone() throws Exception {
        try (TestServer server = server()) {
            for (Arguments row : answers().toList()) {
                Object[] expected = row.get();
                Message reply = server.ask(expected[0] + ".example.org.", (int) expected[1]);
                assertThat(List.of(reply.getRcode(), reply.getHeader().getFlag(Flags.AA), TestServer.answers(reply),
                                TestServer.rows(reply, Section.AUTHORITY), TestServer.rows(reply, Section.ADDITIONAL)))
                        .as("%s", expected[0])
                        .isEqualTo(List.of(expected[2], expected[3], expected[4], expected[5], expected[6]));
            }
        }
    }

    @Test
    void whatIsInNoZoneIsRefusedIfNothingStandsBelow() throws Exception {
        try (TestServer server = TestServer.start(". {\n    file " + zone(ZONE) + " example.org\n}\n")) {
            assertThat(server.ask("example.net.", Type.A).getRcode()).isEqualTo(Rcode.REFUSED);
        }
    }

    @ParameterizedTest
    @CsvSource({"missing.example.org., 2", "er.example.org., 2", "www.example.org., 0", "x.wild.example.org., 0"})
    void missingNamesFallThrough(String name, int additional) throws Exception {
        try (TestServer server = TestServer.start("example.org {\n file " + zone(ZONE) + " {\n fallthrough\n}\nwhoami\n}\n")) {
            Message reply = server.ask(name, Type.LOC);
            assertThat(reply.getSection(Section.ADDITIONAL)).hasSize(additional);
            assertThat(reply.getHeader().getFlag(Flags.AA)).isTrue();
        }
    }

    @Test
    void aChangedSerialIsServedAndABrokenFileIsNot() throws Exception {
        Path file = zone(ZONE);
        try (TestServer server = TestServer.start("example.org {\n    file " + file + " {\n reload 50ms\n}\n}\n")) {
            Files.writeString(file, ZONE.replace("192.0.2.80", "192.0.2.90"));
            Files.writeString(file, ZONE.replace("admin 1 ", "admin 2 ") + "broken IN A not-an-address\n");
            await(() -> assertThat(server.logLinesWith("Parsing zone \"example.org.\": " + file + ":")).hasSize(1));
            assertThat(TestServer.answers(server.ask("www.example.org.", Type.A))).containsExactly("www.example.org. 300 IN A 192.0.2.80");
            Files.writeString(file, ZONE.replace("192.0.2.80", "192.0.2.91").replace("admin 1 ", "admin 3 "));
            await(() -> assertThat(TestServer.answers(server.ask("www.example.org.", Type.A))).containsExactly("www.example.org. 300 IN A 192.0.2.91"));
            assertThat(server.logLinesWith("Successfully reloaded zone \"example.org.\" in \"" + file + "\" with 3 SOA serial")).hasSize(1);
        }
    }

    @Test
    void aMissingFileIsWaitedFor() throws Exception {
        Path file = directory.resolve("later");
        try (TestServer server = TestServer.start("example.org {\n    file " + file + " {\n reload 50ms\n}\n}\n")) {
            assertThat(server.ask("www.example.org.", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            Files.writeString(file, ZONE);
            await(() -> assertThat(server.ask("www.example.org.", Type.A).getRcode()).isEqualTo(Rcode.NOERROR));
        }
        assertThatThrownBy(() -> TestServer.start("example.org {\n    file " + directory.resolve("never") + " {\n reload 0\n}\n}\n"))
                .isInstanceOf(IOException.class).hasMessageContaining("create the file");
    }

    private static void await(org.awaitility.core.ThrowingRunnable what) {
        Awaitility.await().pollInterval(Duration.ofMillis(20)).untilAsserted(what);
    }

    @Test
    void aWrongFileKeepsTheServerFromStarting() throws Exception {
        for (List<String> wrong : List.of(
                List.of("@ 60 IN A 192.0.2.1\n", "has no SOA record for origin example.org."),
                List.of("x 60 IN SOA ns a 1 2 3 4 5\n", "SOA owner x.example.org. does not match origin example.org."),
                List.of(ZONE + "\nbad 60 IN A 1.2.3\n", "db:24: "),
                List.of(ZONE + "\n@ 60 IN NSEC3PARAM 1 0 0 -\n", "sign the zone with NSEC"))) {
            Path file = zone(wrong.getFirst());
            assertThatThrownBy(() -> TestServer.start("example.org {\n    file " + file + "\n}\n"))
                    .isInstanceOf(IOException.class).hasMessageContaining("zone example.org.: " + file).hasMessageContaining(wrong.getLast());
        }
    }

    @ParameterizedTest
    @MethodSource
    void mistakesAreTold(String directive, String message) throws IOException {
        assertThat(TestServer.errorsOf("example.org {\n" + directive + "\n}\n")).singleElement().asString().contains(message);
    }

    static Stream<Arguments> mistakesAreTold() {
        return Stream.of(
                Arguments.of("file", "Corefile:2: plugin/file: wants at least 1 argument, got 0; write: file DBFILE [ZONES...]"),
                Arguments.of("file db {\nreload soon\n}", "Corefile:3: plugin/file: reload: "),
                Arguments.of("file db {\nreload_by_time\n}", "Corefile:3: plugin/file: unknown property \"reload_by_time\", did you mean reload_by_mtime?"));
    }
}
