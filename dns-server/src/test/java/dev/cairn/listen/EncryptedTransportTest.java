package dev.cairn.listen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnProcess;
import dev.cairn.testing.Programs;
import dev.cairn.testing.RawClient;
import dev.cairn.testing.TcpClient;
import dev.cairn.testing.TestCertificates;
import dev.cairn.testing.TestServer;
import dev.cairn.testing.TlsClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLEngine;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.GenericEDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** What is true of connections stays true under TLS, and those who only begin a handshake do no harm. */
class EncryptedTransportTest {
    /**
     * The heap may fill up to its 64 MiB, in which the engines of all these handshakes would not fit by far; what is outside of it may
     * not grow.
     */
    private static final long GROWTH_KILOBYTES = 72 << 10;

    @TempDir
    static Path directory;

    private static TestCertificates certificates;
    private static String tls;

    @BeforeAll
    static void make() throws Exception {
        certificates = new TestCertificates(directory);
        tls = " bind 127.0.0.1\n tls " + certificates.leaf("server", "EC").arguments() + "\n";
    }

    private static Message query() throws IOException {
        return TestServer.query("example.org", Type.A);
    }

    private static TlsClient client(TestServer server) throws Exception {
        return new TlsClient(server.port(), certificates.client(true));
    }

    @Test
    void pipelinesQueries() throws Exception {
        try (TestServer server = TestServer.start("tls://.:0 {\n" + tls + " whoami\n}\n"); TlsClient client = client(server)) {
            Message[] queries = new Message[200];
            for (int i = 0; i < queries.length; i++) {
                queries[i] = query();
            }
            client.send(TcpClient.frames(queries));
            for (Message query : queries) {
                assertThat(client.read().getHeader().getID()).isEqualTo(query.getHeader().getID());
            }
        }
    }

    /** RFC 8467 section 4.1. */
    @Test
    void repliesToPaddedQueriesArePaddedAndOthersAreNot() throws Exception {
        try (TestServer server = TestServer.start("tls://.:0 {\n" + tls + " whoami\n}\n"); TlsClient client = client(server)) {
            Message padded = query();
            padded.addRecord(new OPTRecord(1232, 0, 0, 0, List.of(new GenericEDNSOption(12, new byte[60]))), Section.ADDITIONAL);
            client.send(TcpClient.frames(padded));
            Message reply = client.read();
            assertThat(reply.numBytes()).isEqualTo(468);
            assertThat(reply.getOPT().getOptions()).singleElement().satisfies(option -> assertThat(option.getCode()).isEqualTo(12));
            Message plain = query();
            plain.addRecord(new OPTRecord(1232, 0, 0), Section.ADDITIONAL);
            client.send(TcpClient.frames(plain));
            assertThat(client.read().getOPT().getOptions()).isEmpty();
        }
        try (TestServer server = TestServer.start(". {\n whoami\n}\n")) {
            Message padded = query();
            padded.addRecord(new OPTRecord(1232, 0, 0, 0, List.of(new GenericEDNSOption(12, new byte[60]))), Section.ADDITIONAL);
            assertThat(server.ask(padded, true).getOPT().getOptions()).as("nobody is kept from reading it").isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"read 1s;idle 24h", "idle 1s;read 24h", "maxtcpqueries 1;read 24h;idle 24h"})
    void endsConnectionsInTheTimeGiven(String line) throws Exception {
        try (TestServer server = TestServer.start("tls://.:0 {\n" + tls + " timeouts {\n " + line.replace(';', '\n') + "\n }\n whoami\n}\n")) {
            byte[] framed = TcpClient.frames(query());
            // A busy machine may need more than the second for the handshake, which counts as reading: then the client tries again.
            Awaitility.await().ignoreExceptionsInstanceOf(IOException.class).until(() -> {
                try (TlsClient client = client(server)) {
                    client.send(framed);
                    assertThat(client.read().getRcode()).isZero();
                    if (line.startsWith("read")) {
                        client.send(Arrays.copyOf(framed, 5));
                    }
                    client.awaitClose();
                    return true;
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls", "https"})
    void aHandshakeMustEndInTime(String scheme) throws Exception {
        try (TestServer server = TestServer.start(scheme + "://.:0 {\n" + tls + " timeouts {\n read 1s\n idle 24h\n }\n whoami\n}\n");
                TcpClient client = new TcpClient(server.port())) {
            client.send(new byte[] {0x16, 3, 1, 0, 100, 1});
            assertThat(client.millisToClose()).isGreaterThan(900);
        }
    }

    @Test
    void whoSendsNoTlsIsTurnedAway() throws Exception {
        try (TestServer server = TestServer.start("tls://.:0 {\n" + tls + " timeouts {\n read 24h\n idle 24h\n }\n whoami\n}\n");
                TcpClient client = new TcpClient(server.port())) {
            client.send(TcpClient.frames(query()));
            client.millisToClose();
        }
    }

    @Test
    void manyHalfOpenHandshakesNeitherStopTheServiceNorFillTheMemory() throws Exception {
        Files.writeString(directory.resolve("Corefile"), ".:0 {\n bind 127.0.0.1\n whoami\n}\ntls://.:0 {\n" + tls
                + " timeouts {\n read 1m\n }\n whoami\n}\nhttps://.:0 {\n" + tls + " timeouts {\n read 1m\n }\n whoami\n}\n");
        byte[] hello = Files.readAllBytes(clientHello());
        List<Socket> halfOpen = new ArrayList<>();
        try (CairnProcess cairn = CairnProcess.start(directory)) {
            int dns = cairn.port();
            int tlsPort = port(cairn, "tls");
            open(halfOpen, tlsPort, hello, 300);
            assertServed(dns, tlsPort);
            assertServedByHttps(port(cairn, "https"));
            long before = cairn.residentKilobytes();
            open(halfOpen, tlsPort, hello, 1500);
            open(halfOpen, port(cairn, "https"), hello, 1500);
            assertServed(dns, tlsPort);
            assertServedByHttps(port(cairn, "https"));
            assertThat(cairn.residentKilobytes()).isLessThan(before + GROWTH_KILOBYTES);
        } finally {
            for (Socket socket : halfOpen) {
                socket.close();
            }
        }
    }

    /** A server without encrypted clients neither needs the library nor pays for it, and one that cannot load it does without. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void encryptsByALibraryThatIsLoadedForTheFirstClientOrElseByTheJdk(boolean library) throws Exception {
        Path home = Files.createDirectories(directory.resolve("library-" + library));
        Files.writeString(home.resolve("Corefile"), ".:0 {\n bind 127.0.0.1\n whoami\n}\ntls://.:0 {\n" + tls + " whoami\n}\nhttps://.:0 {\n" + tls
                + " whoami\n}\n");
        List<String> environment = library ? List.of() : List.of("env", "JDK_JAVA_OPTIONS=-Dio.netty.handler.ssl.noOpenSsl=true");
        try (CairnProcess cairn = CairnProcess.startBy(environment, home)) {
            cairn.port();
            Path maps = Path.of("/proc", Long.toString(cairn.pid()), "maps");
            assertThat(Files.readString(maps)).doesNotContain("tcnative");
            assertServed(cairn.port(), port(cairn, "tls"));
            assertServedByHttps(port(cairn, "https"));
            assertThat(Files.readString(maps).contains("tcnative")).isEqualTo(library);
        }
    }

    /** The first flight of a real client, which then says nothing more. */
    private static Path clientHello() throws Exception {
        SSLEngine engine = certificates.client(true).createSSLEngine("localhost", 853);
        engine.setUseClientMode(true);
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), out);
        return Files.write(directory.resolve("hello"), Arrays.copyOf(out.array(), out.position()));
    }

    private static void open(List<Socket> sockets, int port, byte[] hello, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.getOutputStream().write(hello);
            sockets.add(socket);
        }
    }

    private static int port(CairnProcess cairn, String scheme) {
        Pattern line = Pattern.compile(Pattern.quote(scheme) + "://\\.:([0-9]+) on .*");
        return cairn.output().stream().map(line::matcher).filter(Matcher::matches).mapToInt(found -> Integer.parseInt(found.group(1)))
                .findFirst().orElseThrow();
    }

    private static void assertServed(int dns, int tlsPort) throws Exception {
        try (RawClient client = new RawClient(InetAddress.getLoopbackAddress(), dns)) {
            assertThat(new Message(client.ask(true, query().toWire())).getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(new Message(client.ask(false, query().toWire())).getRcode()).isEqualTo(Rcode.NOERROR);
        }
        // Those whose turn it is to be pushed out include a client that is too slow, which tries again.
        Awaitility.await().ignoreExceptionsInstanceOf(IOException.class).until(() -> {
            try (TlsClient client = new TlsClient(tlsPort, certificates.client(true))) {
                return client.ask(query()).getRcode() == Rcode.NOERROR;
            }
        });
    }

    private static void assertServedByHttps(int port) {
        Awaitility.await()
                .until(() -> Programs.run("kdig", "@127.0.0.1", "-p", Integer.toString(port), "+https",
                "+timeout=60", "+retry=0", "example.org").output().contains("status: NOERROR"));
    }

    @Test
    void oneBlockMayHaveKeysOfSeveralSchemes() throws Exception {
        try (TestServer server = TestServer.start("example.org tls://example.org:0 https://example.org:0 quic://example.org:0 {\n" + tls
                + " whoami\n}\n")) {
            assertThat(server.ask("example.org", Type.A).getRcode()).isZero();
            try (TlsClient client = new TlsClient(server.port("tls"), certificates.client(true))) {
                assertThat(client.ask(query()).getRcode()).isZero();
            }
            assertThat(server.server().zoneLines()).containsExactly(
                    "example.org.:" + server.port("dns") + " on 127.0.0.1",
                    "tls://example.org.:" + server.port("tls") + " on 127.0.0.1",
                    "https://example.org.:" + server.port("https") + " on 127.0.0.1",
                    "quic://example.org.:" + server.port("quic") + " on 127.0.0.1");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tls://.:5301 https://.:5301   | tls://:5301 and https://:5301 are the same port
            .:5301 quic://.:5301          | dns://:5301 and quic://:5301 are the same port
            grpc://.                      | DNS over gRPC and over HTTP/3 are not served
            https3://.                    | DNS over gRPC and over HTTP/3 are not served
            """)
    void saysWhichKeysCannotBeServed(String keys, String message) throws Exception {
        assertThat(TestServer.errorsOf(keys + " {\n tls a b\n whoami\n}\n")).singleElement().asString().contains(message);
    }

    @Test
    void tlsAndQuicMayHaveTheSamePort() throws Exception {
        try (TestServer server = TestServer.start("tls://.:0 {\n" + tls + " whoami\n}\n")) {
            int port = server.port();
            assertThat(server.reload("tls://.:0 {\n" + tls + " whoami\n}\nquic://.:" + port + " {\n" + tls + " whoami\n}\n")).isTrue();
            assertThat(server.port("quic")).isEqualTo(server.port("tls"));
        }
    }

    @Test
    void queriesCountAsThoseOfTcp() throws Exception {
        try (TestServer server = TestServer.start("tls://.:0 {\n" + tls + " prometheus 127.0.0.1:0\n whoami\n}\n");
                TlsClient client = client(server)) {
            client.ask(query());
            assertThat(server.metrics()).contains(
                    "coredns_dns_requests_total{family=\"1\",proto=\"tcp\",server=\"tls://127.0.0.1:0\","
                            + "type=\"A\",view=\"\",zone=\".\"} 1");
        }
    }
}
