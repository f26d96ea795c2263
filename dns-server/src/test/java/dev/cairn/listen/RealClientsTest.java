package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Programs;
import dev.cairn.testing.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The same rules tried with dig and kdig, as far as these can be made to send what is needed. */
class RealClientsTest {
    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        StringBuilder corefile = new StringBuilder("example.org {\n nsid here\n hosts {\n");
        IntStream.rangeClosed(1, 200).forEach(i -> corefile.append("  10.0.0.").append(i).append(" many.example.org\n"));
        corefile.append("  10.1.0.1 one.example.org\n  2001:db8::1 one.example.org\n  ttl 60\n }\n}\nbind {\n chaos Cairn-test\n}\n");
        server = TestServer.start(corefile.toString());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Arguments dig(String arguments, String... expected) {
        return Arguments.of("dig", arguments, List.of(expected));
    }

    private static Arguments kdig(String arguments, String... expected) {
        return Arguments.of("kdig", arguments, List.of(expected));
    }

    static Stream<Arguments> questions() {
        return Stream.of(
                dig("one.example.org", "status: NOERROR", "flags: qr aa rd;", "one.example.org.\t60\tIN\tA\t10.1.0.1", "EDNS: version: 0", "udp: 1232"),
                dig("one.example.org AAAA +norec", "flags: qr aa;", "AAAA\t2001:db8::1"),
                dig("oNe.ExamPle.ORG", "oNe.ExamPle.ORG.\t60\tIN\tA\t10.1.0.1"),
                dig("one.example.org TXT", "status: NOERROR", "ANSWER: 0"),
                dig("one.example.org +noedns", "ADDITIONAL: 0"),
                dig("one.example.org +dnssec", "flags: do;"),
                dig("one.example.org +cdflag +adflag", "flags: qr aa rd cd;"),
                dig("one.example.org +nsid", "NSID: 68 65 72 65 (\"here\")"),
                dig("one.example.org +ednsopt=65001:0102", "EDNS: version: 0", "status: NOERROR"),
                dig("one.example.org +cookie=0011223344556677", "status: NOERROR"),
                dig("one.example.org +subnet=192.0.2.0/24", "status: NOERROR"),
                dig("one.example.org +edns=1 +noednsnegotiation", "status: BADVERS", "EDNS: version: 0"),
                dig("one.example.org +opcode=2", "status: NOTIMP"),
                dig("one.example.org SOA +opcode=NOTIFY", "status: NOTIMP"),
                dig("one.example.org SOA +opcode=UPDATE", "status: NOTIMP"),
                dig("+header-only one.example.org", "status: FORMERR"),
                dig("example.net", "status: REFUSED"),
                dig("one.example.org CH TXT", "status: REFUSED"),
                dig("one.example.org HS A", "status: REFUSED"),
                dig("version.bind CH TXT", "Cairn-test"),
                dig("many.example.org +tcp", "ANSWER: 200"),
                dig("many.example.org +ignore +bufsize=4096", "ANSWER: 200", "MSG SIZE  rcvd: 3245"),
                dig("many.example.org +bufsize=1232", "Truncated, retrying in TCP mode", "ANSWER: 200"),
                dig("many.example.org +ignore +bufsize=1232", "flags: qr aa tc rd;"),
                dig("many.example.org +ignore +noedns", "flags: qr aa tc rd;"),
                dig("many.example.org +ignore +bufsize=100", "flags: qr aa tc rd;"),
                dig("-x 10.1.0.1", "status: REFUSED"),
                dig("+keepopen +tcp one.example.org one.example.org AAAA", "10.1.0.1", "2001:db8::1"),
                kdig("one.example.org A", "status: NOERROR", "10.1.0.1"),
                kdig("one.example.org +tcp +padding=128", "status: NOERROR", "10.1.0.1"),
                kdig("one.example.org +edns=1", "BADVERS"),
                kdig("many.example.org +bufsize=60000 +ignore", "ANSWER: 200"),
                kdig("many.example.org +bufsize=512 +ignore", "Flags: qr aa tc rd"));
    }

    @ParameterizedTest
    @MethodSource("questions")
    void answersAsTheProtocolAsks(String client, String arguments, List<String> expected) throws Exception {
        List<String> command = new ArrayList<>(List.of(client, "@127.0.0.1", "-p", Integer.toString(server.port())));
        command.addAll(client.equals("dig") ? List.of("+time=60", "+tries=1", "+qr", "+noqr") : List.of("+timeout=60", "+retry=0"));
        command.addAll(List.of(arguments.split(" ", -1)));
        assertThat(Programs.run(command.toArray(String[]::new)).output()).contains(expected);
    }

    static Stream<Arguments> sizes() {
        return Stream.of(Arguments.of("+noedns", 512), Arguments.of("+bufsize=600", 600), Arguments.of("+bufsize=1232", 1232),
                Arguments.of("+bufsize=2000", 2000), Arguments.of("+bufsize=4096", 4096));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void neverSendsMoreThanTheClientTakes(String option, int most) throws Exception {
        String output = Programs.run("dig", "@127.0.0.1", "-p", Integer.toString(server.port()), "many.example.org", "+ignore", option).output();
        String size = output.replaceAll("(?s).*MSG SIZE  rcvd: ([0-9]+).*", "$1");
        assertThat(Integer.parseInt(size)).isBetween(most / 2, most);
    }
}
