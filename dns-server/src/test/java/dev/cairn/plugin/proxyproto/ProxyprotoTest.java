package dev.cairn.plugin.proxyproto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.listen.Engines;
import dev.cairn.testing.RawClient;
import dev.cairn.testing.TcpClient;
import dev.cairn.testing.TestCertificates;
import dev.cairn.testing.TestServer;
import dev.cairn.testing.TlsClient;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Headers as HAProxy's specification has them; whoami tells whom the server takes the client for. */
class ProxyprotoTest {
    private static final String V1 = "PROXY TCP4 192.0.2.7 198.51.100.1 4711 53\r\n";

    private static String corefile(String lines) {
        return ". {\n bind 127.0.0.1\n proxyproto {\n" + lines + "\n }\n timeouts {\n read 24h\n idle 24h\n }\n whoami\n}\n";
    }

    private static Message query() throws IOException {
        return TestServer.query("example.org", Type.A);
    }

    /** @param kind 0x11 TCP4, 0x12 UDP4, 0x21 TCP6, 0x22 UDP6, 0 unspecified */
    private static byte[] v2(int command, int kind, byte[] tlvs) throws IOException {
        byte[] source = kind >> 4 == 0 ? new byte[0] : InetAddress.getByName(kind >> 4 == 1 ? "192.0.2.7" : "2001:db8::7").getAddress();
        byte[] destination = kind >> 4 == 0 ? new byte[0] : InetAddress.getByName(kind >> 4 == 1 ? "198.51.100.1" : "2001:db8::1")
                .getAddress();
        int ports = source.length == 0 ? 0 : 4;
        ByteBuffer header = ByteBuffer.allocate(16 + 2 * source.length + ports + tlvs.length);
        header.put("\r\n\r\n\0\r\nQUIT\n".getBytes(StandardCharsets.US_ASCII)).put((byte) (0x20 | command)).put((byte) kind);
        header.putShort((short) (header.capacity() - 16)).put(source).put(destination);
        if (ports > 0) {
            header.putShort((short) 4711).putShort((short) 53);
        }
        return header.put(tlvs).array();
    }

    private static byte[] together(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] header(String kind) throws IOException {
        return switch (kind) {
            case "none" -> new byte[0];
            case "v1" -> V1.getBytes(StandardCharsets.US_ASCII);
            case "v1 TCP6" -> "PROXY TCP6 2001:db8::7 2001:db8::1 4711 53\r\n".getBytes(StandardCharsets.US_ASCII);
            case "v1 unknown" -> "PROXY UNKNOWN\r\n".getBytes(StandardCharsets.US_ASCII);
            case "v2" -> v2(1, 0x11, new byte[0]);
            case "v2 TCP6" -> v2(1, 0x21, new byte[] {4, 0, 1, 9});
            case "v2 local" -> v2(0, 0x11, new byte[0]);
            case "v2 unspecified" -> v2(1, 0, new byte[0]);
            case "v2 UDP" -> v2(1, 0x12, new byte[0]);
            case "v2 UDP6" -> v2(1, 0x22, new byte[0]);
            case "v2 command 7" -> v2(7, 0x11, new byte[0]);
            case "v1 bad port" -> "PROXY TCP4 192.0.2.7 198.51.100.1 99999 53\r\n".getBytes(StandardCharsets.US_ASCII);
            case "v1 bad address" -> "PROXY TCP4 192.0.2 198.51.100.1 9 53\r\n".getBytes(StandardCharsets.US_ASCII);
            case "v1 endless" -> ("PROXY TCP4 " + "1".repeat(200)).getBytes(StandardCharsets.US_ASCII);
            default -> throw new IllegalArgumentException(kind);
        };
    }

    /** Whom whoami saw: the address and, if it is the one of the header, the port. */
    private static String seen(Message reply) {
        String all = String.join(" ", TestServer.rows(reply, Section.ADDITIONAL));
        return all.replaceAll(".* (?:A|AAAA) (\\S+) .*", "$1") + (all.contains(" 4711 ") ? " 4711" : "");
    }

    @ParameterizedTest
    @CsvSource({
        "none, 127.0.0.1", "v1, 192.0.2.7 4711", "v1 TCP6, 2001:db8:0:0:0:0:0:7 4711", "v1 unknown, 127.0.0.1", "v2, 192.0.2.7 4711",
        "v2 TCP6, 2001:db8:0:0:0:0:0:7 4711", "v2 local, 127.0.0.1", "v2 unspecified, 127.0.0.1"})
    void takesTheClientFromTheHeaderOfAConnection(String kind, String client) throws Exception {
        try (TestServer server = TestServer.start(corefile("")); TcpClient tcp = new TcpClient(server.port())) {
            tcp.send(together(header(kind), TcpClient.frames(query())));
            assertThat(seen(tcp.read())).isEqualTo(client);
            tcp.send(TcpClient.frames(query()));
            assertThat(seen(tcp.read())).isEqualTo(client);
        }
    }

    @Test
    void aHeaderMayComeInPieces() throws Exception {
        try (TestServer server = TestServer.start(corefile("")); TcpClient tcp = new TcpClient(server.port())) {
            for (byte one : together(header("v2 TCP6"), TcpClient.frames(query()))) {
                tcp.send(new byte[] {one});
            }
            assertThat(seen(tcp.read())).isEqualTo("2001:db8:0:0:0:0:0:7 4711");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"v2 command 7", "v1 bad port", "v1 bad address", "v1 endless"})
    void badHeadersCloseTheConnection(String kind) throws Exception {
        try (TestServer server = TestServer.start(corefile("")); TcpClient tcp = new TcpClient(server.port())) {
            tcp.send(together(header(kind), TcpClient.frames(query())));
            tcp.millisToClose();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "allow 127.0.0.0/8,                      v1,   192.0.2.7 4711",
        "allow 10.0.0.0/8,                       v1,   127.0.0.1",
        "allow 10.0.0.0/8,                       none, 127.0.0.1",
        "allow 10.0.0.0/8 ::/0,                  v2,   127.0.0.1",
        "allow 10.0.0.0/8;default use,           v2,   192.0.2.7 4711",
        "allow 10.0.0.0/8;default reject,        v1,   closed",
        "allow 10.0.0.0/8;default reject,        none, 127.0.0.1",
        "allow 127.0.0.0/8;default reject,       v1,   192.0.2.7 4711",
        "default ignore,                         v1,   127.0.0.1",
        "allow 10.0.0.0/8;default SKIP,          none, 127.0.0.1"})
    void believesWhomItShall(String lines, String kind, String client) throws Exception {
        try (TestServer server = TestServer.start(corefile(lines.replace(';', '\n'))); TcpClient tcp = new TcpClient(server.port())) {
            tcp.send(together(header(kind), TcpClient.frames(query())));
            if (client.equals("closed")) {
                assertThatThrownBy(tcp::read).isInstanceOfAny(EOFException.class, SocketException.class);
            } else {
                assertThat(seen(tcp.read())).isEqualTo(client);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Engines.Choice.class)
    void takesTheClientFromTheHeaderOfADatagram(Engines.Choice engine) throws Exception {
        try (TestServer server = TestServer.start(corefile(""), engine); RawClient udp = RawClient.to(server)) {
            byte[] query = query().toWire();
            assertThat(seen(new Message(udp.ask(false, together(header("v2 UDP"), query))))).isEqualTo("192.0.2.7 4711");
            assertThat(seen(new Message(udp.ask(false, together(header("v2 UDP6"), query))))).isEqualTo("2001:db8:0:0:0:0:0:7 4711");
            assertThat(seen(new Message(udp.ask(false, together(header("v2 local"), query))))).isEqualTo("127.0.0.1");
            // These are dropped: the next reply is the one to the query without a header.
            udp.send(false, together(header("v1"), query));
            udp.send(false, together(header("v2"), query));
            udp.send(false, header("v2 UDP"));
            assertThat(seen(new Message(udp.ask(false, query)))).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void aHeaderOfItsOwnHoldsForTheDatagramsThatFollow() throws Exception {
        try (TestServer server = TestServer.start(corefile("udp_session_tracking 1m 2")); RawClient udp = RawClient.to(server);
                RawClient other = RawClient.to(server)) {
            byte[] query = query().toWire();
            udp.send(false, header("v2 UDP"));
            assertThat(seen(new Message(udp.ask(false, query)))).isEqualTo("192.0.2.7 4711");
            assertThat(seen(new Message(udp.ask(false, query)))).isEqualTo("192.0.2.7 4711");
            assertThat(seen(new Message(other.ask(false, query)))).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void aHeaderIsForgottenInTime() throws Exception {
        try (TestServer server = TestServer.start(corefile("udp_session_tracking 200ms")); RawClient udp = RawClient.to(server)) {
            byte[] query = query().toWire();
            // Again if need be: a busy machine may take longer between the two than the header holds.
            Awaitility.await().until(() -> {
                udp.send(false, header("v2 UDP"));
                return seen(new Message(udp.ask(false, query))).equals("192.0.2.7 4711");
            });
            Awaitility.await().pollInterval(Duration.ofMillis(400))
                    .until(() -> seen(new Message(udp.ask(false, query))).equals("127.0.0.1"));
        }
    }

    @Test
    void theClientOfTheHeaderIsTheOneThatAclAndLogKnow() throws Exception {
        String corefile = """
                . {
                    bind 127.0.0.1
                    proxyproto
                    acl {
                        block net 192.0.2.0/24
                    }
                    log . "{remote}:{port} {rcode}"
                    whoami
                }
                """;
        try (TestServer server = TestServer.start(corefile); TcpClient tcp = new TcpClient(server.port())) {
            tcp.send(together(header("v1"), TcpClient.frames(query())));
            assertThat(tcp.read().getRcode()).isEqualTo(Rcode.REFUSED);
            Awaitility.await().until(() -> server.logLinesWith("192.0.2.7:4711 REFUSED").findAny().isPresent());
        }
    }

    @Test
    void theFieldsOfAHeaderAreMetadata() throws Exception {
        String corefile = """
                . {
                    bind 127.0.0.1
                    metadata
                    proxyproto {
                        tlv_metadata
                    }
                    log . "tlv={/proxyproto/tlv}."
                    whoami
                }
                """;
        try (TestServer server = TestServer.start(corefile); TcpClient tcp = new TcpClient(server.port());
                RawClient udp = RawClient.to(server)) {
            tcp.send(together(header("v2 TCP6"), TcpClient.frames(query())));
            tcp.read();
            Awaitility.await().until(() -> server.logLinesWith("tlv=04000109.").findAny().isPresent());
            udp.ask(false, together(v2(1, 0x12, new byte[] {5, 0, 1, 7}), query().toWire()));
            Awaitility.await().until(() -> server.logLinesWith("tlv=05000107.").findAny().isPresent());
        }
    }

    @Test
    void theHeaderComesBeforeTls(@TempDir Path directory) throws Exception {
        TestCertificates certificates = new TestCertificates(directory);
        String corefile = "tls://.:0 {\n bind 127.0.0.1\n proxyproto\n tls " + certificates.leaf("server", "EC").arguments()
                + "\n whoami\n}\n";
        try (TestServer server = TestServer.start(corefile);
                TlsClient client = new TlsClient(server.port(), certificates.client(true).getSocketFactory(), header("v2"))) {
            assertThat(seen(client.ask(query()))).isEqualTo("192.0.2.7 4711");
        }
    }

    @Test
    void aHeaderIsNoQueryWhereNobodyReadsIt() throws Exception {
        try (TestServer server = TestServer.start(corefile("allow 10.0.0.0/8\ndefault skip"));
                RawClient udp = RawClient.to(server)) {
            udp.send(false, together(header("v2 UDP"), query().toWire()));
            Message proper = query();
            proper.getHeader().setID(1);
            udp.send(false, proper.toWire());
            Message reply = new Message(udp.receive(false));
            if (reply.getHeader().getID() != proper.getHeader().getID()) { // not dropped, which is fine as well
                assertThat(reply.getRcode()).isNotZero();
                reply = new Message(udp.receive(false));
            }
            assertThat(seen(reply)).isEqualTo("127.0.0.1");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            proxyproto 5                                     | wants no arguments, got 1
            proxyproto {;allow 10.0.0.1;}                    | "10.0.0.1" is not a network: write it with the length of its prefix
            proxyproto {;allow nobody/8;}                    | "nobody/8" is not a network
            proxyproto {;default;}                           | wants 1 argument, got 0
            proxyproto {;default maybe;}                     | "maybe" is not known here
            proxyproto {;udp_session_tracking;}              | wants 1 to 2 arguments, got 0
            proxyproto {;udp_session_tracking soon;}         | "soon" is not a duration
            proxyproto {;udp_session_tracking 5s 0;}         | "0" is not a whole number of at least 1
            proxyproto {;tlv_metadata on;}                   | wants no arguments, got 1
            proxyproto {;deny 10.0.0.0/8;}                   | unknown property "deny"
            proxyproto;proxyproto                            | can only be used once per server block
            """)
    void saysWhatIsWrongAndWhatToWrite(String directive, String message) throws Exception {
        List<String> errors = TestServer.errorsOf(". {\n" + directive.replace(';', '\n') + "\n whoami\n}");
        assertThat(errors).singleElement().asString().contains("plugin/proxyproto", message);
    }

    @Test
    void isNotForQuic() throws Exception {
        assertThat(TestServer.errorsOf("quic://.:0 {\n proxyproto\n tls a b\n whoami\n}")).singleElement().asString()
                .contains("PROXY headers are not read on quic://");
    }
}
