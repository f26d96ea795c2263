package dev.cairn.plugin.quic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Programs;
import dev.cairn.testing.QuicTestClient;
import dev.cairn.testing.TcpClient;
import dev.cairn.testing.TestCertificates;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.GenericEDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class QuicTest {
    @TempDir
    static Path directory;

    private static TestCertificates certificates;
    private static String tls;
    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        certificates = new TestCertificates(directory);
        tls = " bind 127.0.0.1\n tls " + certificates.leaf("server", "EC").arguments() + "\n";
        String many = IntStream.range(1, 250).mapToObj(i -> "  10.2.0." + i + " many.example.org\n").reduce("", String::concat);
        server = TestServer.start("quic://.:0 {\n" + tls
                + " prometheus 127.0.0.1:0\n timeouts {\n read 1s\n }\n hosts {\n  10.1.0.1 one.example.org\n"
                + many + "  ttl 60\n  fallthrough\n }\n whoami\n}\n");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static QuicTestClient client(TestServer to) throws Exception {
        return new QuicTestClient(to.port(), certificates.authority());
    }

    private static Message query(String name) throws IOException {
        Message query = TestServer.query(name, Type.A);
        query.getHeader().setID(0);
        return query;
    }

    private static Message message(byte[] framed) throws IOException {
        assertThat(ByteBuffer.wrap(framed).getShort()).isEqualTo((short) (framed.length - 2));
        return new Message(Arrays.copyOfRange(framed, 2, framed.length));
    }

    @Test
    void servesKdig() throws Exception {
        Programs.Result result = Programs.run("kdig", "@127.0.0.1", "-p", Integer.toString(server.port()), "+quic", "+timeout=60",
                "+retry=0",
                "one.example.org");
        assertThat(result.output()).contains("QUIC session", "status: NOERROR", "10.1.0.1");
    }

    @Test
    void answersManyQueriesOnOneConnection() throws Exception {
        try (QuicTestClient client = client(server)) {
            List<QuicTestClient.Stream> streams = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                streams.add(client.send(TcpClient.frames(query("one.example.org")), true));
            }
            for (QuicTestClient.Stream stream : streams) {
                assertThat(TestServer.answers(message(stream.reply()))).containsExactly("one.example.org. 60 IN A 10.1.0.1");
            }
        }
    }

    @Test
    void aReplyIsNotCutHoweverLargeItIs() throws Exception {
        try (QuicTestClient client = client(server)) {
            Message reply = message(client.send(TcpClient.frames(query("many.example.org")), true).reply());
            assertThat(reply.getSection(Section.ANSWER)).hasSize(249);
        }
    }

    @Test
    void answersBeforeTheClientEndsItsSide() throws Exception {
        try (QuicTestClient client = client(server)) {
            assertThat(message(client.send(TcpClient.frames(query("one.example.org")), false).reply()).getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    /** RFC 9250 section 4.3.3; 2 is DOQ_PROTOCOL_ERROR. */
    @ParameterizedTest
    @ValueSource(strings = {"id", "keepalive", "short", "empty", "zero length", "two queries", "no question", "reply", "garbage"})
    void whatTheProtocolForbidsEndsTheConnection(String mistake) throws Exception {
        Message query = query("one.example.org");
        byte[] proper = TcpClient.frames(query);
        byte[] bytes = switch (mistake) {
            case "id" -> {
                query.getHeader().setID(1);
                yield TcpClient.frames(query);
            }
            case "keepalive" -> {
                EDNSOption keepalive = new GenericEDNSOption(11, new byte[0]);
                query.addRecord(new OPTRecord(1232, 0, 0, 0, List.of(keepalive)), Section.ADDITIONAL);
                yield TcpClient.frames(query);
            }
            case "short" -> Arrays.copyOf(proper, proper.length - 1);
            case "empty" -> new byte[] {0};
            case "zero length" -> new byte[2];
            case "two queries" -> TcpClient.frames(query, query);
            case "no question" -> new byte[14];
            case "reply" -> {
                proper[4] |= (byte) 0x80;
                yield proper;
            }
            default -> "\0\5hello".getBytes(StandardCharsets.US_ASCII);
        };
        if (mistake.equals("no question")) {
            bytes[1] = 12;
        }
        try (QuicTestClient client = client(server)) {
            client.send(bytes, true);
            assertThat(client.closeCode()).isEqualTo(2);
        }
    }

    @Test
    void aQueryThatTakesTooLongLosesItsStreamOnly() throws Exception {
        try (QuicTestClient client = client(server)) {
            QuicTestClient.Stream slow = client.send(new byte[] {0, 50, 0}, false);
            assertThat(slow.resetCode()).isEqualTo(1);
            assertThat(message(client.send(TcpClient.frames(query("one.example.org")), true).reply()).getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void moreQueriesThanWorkersAreRefused() throws Exception {
        try (TestServer small = TestServer.start("quic://.:0 {\n" + tls + " timeouts {\n read 24h\n idle 24h\n }\n quic {\n worker_pool_size 1\n }\n whoami\n}\n");
                QuicTestClient client = client(small)) {
            client.send(new byte[] {0, 50, 0}, false);
            assertThat(client.send(TcpClient.frames(query("a.org")), true).resetCode()).isEqualTo(4);
        }
    }

    @Test
    void moreConnectionsThanAllowedAreClosed() throws Exception {
        try (TestServer small = TestServer.start("quic://.:0 {\n" + tls + " quic {\n max_connections 1\n }\n whoami\n}\n");
                QuicTestClient first = client(small)) {
            assertThat(message(first.send(TcpClient.frames(query("a.org")), true).reply()).getRcode()).isEqualTo(Rcode.NOERROR);
            try (QuicTestClient second = client(small)) {
                assertThat(second.closeCode()).isZero();
            }
            assertThat(message(first.send(TcpClient.frames(query("a.org")), true).reply()).getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void anIdleConnectionIsEnded() throws Exception {
        try (TestServer small = TestServer.start("quic://.:0 {\n" + tls + " timeouts {\n idle 1s\n }\n whoami\n}\n");
                QuicTestClient client = client(small)) {
            assertThat(client.idleMillis()).isEqualTo(1000);
            Awaitility.await().until(client::isClosed);
        }
    }

    @Test
    void countsAsCoreDnsDoes() throws Exception {
        try (TestServer own = TestServer.start("quic://.:0 {\n" + tls + " prometheus 127.0.0.1:0\n whoami\n}\n");
                QuicTestClient client = client(own)) {
            client.send(TcpClient.frames(query("a.org")), true).reply();
            client.send(new byte[2], true);
            assertThat(client.closeCode()).isEqualTo(2);
            assertThat(own.metrics()).contains(
                    "coredns_dns_quic_responses_total{server=\"quic://127.0.0.1:0\",status=\"0x0\"} 1",
                    "coredns_dns_quic_responses_total{server=\"quic://127.0.0.1:0\",status=\"0x2\"} 1",
                    "coredns_dns_requests_total{family=\"1\",proto=\"udp\",server=\"quic://127.0.0.1:0\","
                            + "type=\"A\",view=\"\",zone=\".\"} 1");
            assertThat(own.server().zoneLines()).containsExactly("quic://.:" + own.port() + " on 127.0.0.1");
        }
    }

    @Test
    void aReloadKeepsConnectionsAndStoppingEndsThem() throws Exception {
        String corefile = "quic://.:0 {\n" + tls + " whoami\n}\n";
        try (TestServer own = TestServer.start(corefile); QuicTestClient client = client(own)) {
            client.send(TcpClient.frames(query("a.org")), true).reply();
            assertThat(own.reload(corefile.replace("whoami", "hosts {\n  10.9.0.1 a.org\n }"))).isTrue();
            Message reply = message(client.send(TcpClient.frames(query("a.org")), true).reply());
            assertThat(TestServer.answers(reply)).as(() -> "answers of " + reply + own.log()).containsExactly("a.org. 3600 IN A 10.9.0.1");
            own.server().stop();
            assertThat(client.closeCode()).isZero();
        }
    }

    @Test
    void needsACertificate() throws Exception {
        assertThat(TestServer.errorsOf("quic://.:0 {\n whoami\n}")).singleElement().asString()
                .contains("quic:// needs a certificate; add 'tls CERT KEY' to the block");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            quic 5                                   | wants no arguments, got 1
            quic {;max_streams 0;}                   | "0" is not a whole number of at least 1
            quic {;worker_pool_size -1;}             | "-1" is not a whole number of at least 1
            quic {;max_connections -1;}              | "-1" is not a whole number of at least 0
            quic {;max_streams;}                     | wants 1 argument, got 0; write: max_streams NUMBER
            quic {;max_streams 1;max_streams 2;}     | is already given in this block
            quic {;workers 1;}                       | unknown property "workers"
            """)
    void saysWhatIsWrongAndWhatToWrite(String directive, String message) throws Exception {
        assertThat(TestServer.errorsOf("quic://.:0 {\n" + tls + directive.replace(';', '\n') + "\n whoami\n}")).singleElement().asString()
                .contains("plugin/quic", message);
    }
}
