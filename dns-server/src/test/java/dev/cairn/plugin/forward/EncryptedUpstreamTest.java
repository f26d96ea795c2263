package dev.cairn.plugin.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.Programs;
import dev.cairn.testing.ScriptedUpstream;
import dev.cairn.testing.TestCertificates;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** TLS, HTTPS and QUIC, against servers with a certificate made for the test. */
class EncryptedUpstreamTest {
    private static final String GOOD = "192.0.2.1";
    private static final ScriptedUpstream.Script SCRIPT = ScriptedUpstream.address(GOOD);

    @TempDir
    static Path directory;

    private static TestCertificates certificates;
    private static TestCertificates.Leaf named;
    private static TestCertificates.Leaf addressed;

    /** As the {@code tls} property takes it. */
    private static String trust;

    @BeforeAll
    static void makeCertificates() throws Exception {
        certificates = new TestCertificates(directory);
        named = certificates.leaf("named", "EC", "dns:dns.test");
        addressed = certificates.leaf("addressed", "EC", "ip:127.0.0.1");
        trust = "tls " + certificates.authority();
    }

    private static void answers(TestServer server, String name) throws IOException {
        assertThat(TestServer.answers(server.ask(name, Type.A))).containsExactly(name + " 60 IN A " + GOOD);
    }

    private static void fails(TestServer server, String reason) throws IOException {
        assertThat(server.ask("bad.org.", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
        Awaitility.await().untilAsserted(() -> assertThat(server.logLinesWith("bad.org. A: forward to")).singleElement().asString().containsIgnoringCase(reason));
    }

    @Test
    void tlsCarriesManyQueriesOnOneConnectionPaddedToHideTheirLength() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(SCRIPT, certificates.server(named));
                TestServer server = ForwardTest.servingByOneLane("tls://" + upstream.address(), trust, "tls_servername dns.test")) {
            for (int i = 0; i < 10; i++) {
                answers(server, "a" + i + ".org.");
            }
            assertThat(upstream.connections()).isEqualTo(1);
            assertThat(upstream.asked().getFirst().query().numBytes()).isEqualTo(128);
            assertThat(server.metrics())
                    .contains("coredns_proxy_conn_cache_hits_total{proto=\"tcp-tls\",proxy_name=\"forward\",to=\"" + upstream.address() + "\"} 9");
        }
    }

    @Test
    void tlsChecksTheNameInTheCertificate() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(SCRIPT, certificates.server(named))) {
            try (TestServer server = ForwardTest.serving("tls://" + upstream.address(), trust, "tls_servername other.test")) {
                fails(server, "tls: No subject alternative DNS name matching other.test");
            }
            try (TestServer server = ForwardTest.serving("tls://" + upstream.address(), trust)) {
                fails(server, "tls: No subject alternative names matching IP address 127.0.0.1");
            }
            try (TestServer server = ForwardTest.serving("tls://127.0.0.1%dns.test:" + upstream.port(), trust)) {
                answers(server, "a.org.");
            }
        }
    }

    @Test
    void tlsTakesACertificateForTheAddressAndRefusesOneNobodyTrusts() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(SCRIPT, certificates.server(addressed))) {
            try (TestServer server = ForwardTest.serving("tls://" + upstream.address(), trust)) {
                answers(server, "a.org.");
            }
            try (TestServer server = ForwardTest.serving("tls://" + upstream.address(), "tls")) {
                fails(server, "unable to find valid certification path");
            }
        }
    }

    @Test
    void tlsShowsOurCertificateToAServerThatWantsOne() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(SCRIPT, certificates.server(addressed))) {
            upstream.demandClientCertificate();
            try (TestServer server = ForwardTest.serving("tls://" + upstream.address(),
                    "tls " + addressed.arguments() + " " + certificates.authority())) {
                answers(server, "a.org.");
            }
            try (TestServer server = ForwardTest.serving("tls://" + upstream.address(), trust)) {
                assertThat(server.ask("a.org.", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            }
        }
    }

    /** The older forms, which begin with EC PRIVATE KEY and RSA PRIVATE KEY. */
    @ParameterizedTest
    @ValueSource(strings = {"ecparam -genkey -name prime256v1 -out FILE", "genrsa -traditional -out FILE 2048"})
    void tlsKeysMayBeInAnyFormOfOpenssl(String command) throws Exception {
        Path key = directory.resolve("old.key");
        Path certificate = directory.resolve("old.pem");
        openssl(command.replace("FILE", key.toString()));
        assertThat(key).content().containsPattern("BEGIN (EC|RSA) PRIVATE KEY");
        openssl("req -x509 -subj /CN=client -days 30 -key " + key + " -out " + certificate);
        try (TestServer server = ForwardTest.serving("tls://127.0.0.1 quic://127.0.0.1", "tls " + certificate + " " + key + " " + certificates.authority())) {
            assertThat(server.port()).isPositive();
        }
        assertThatThrownBy(() -> ForwardTest.serving("tls://127.0.0.1", "tls " + addressed.certificate() + " " + key + " " + certificates.authority()))
                .isInstanceOf(IOException.class).hasMessageContaining("old.key: the private key is not that of the certificate");
    }

    private static void openssl(String arguments) throws IOException, InterruptedException {
        Programs.Result result = Programs.run(("openssl " + arguments).split(" ", -1));
        assertThat(result.code()).as(result.output()).isZero();
    }

    @Test
    void filesThatAreMissingStopTheStart() {
        assertThatThrownBy(() -> ForwardTest.serving("tls://127.0.0.1", "tls " + directory.resolve("none.pem")))
                .isInstanceOf(IOException.class).hasMessageContaining("none.pem");
    }

    @Test
    void httpsPostsAndGetsOnOneConnection() throws Exception {
        try (HttpUpstream upstream = new HttpUpstream(named, "h2", SCRIPT)) {
            String to = "https://127.0.0.1:" + upstream.port();
            try (TestServer server = ForwardTest.servingByOneLane(to, trust, "tls_servername dns.test")) {
                for (int i = 0; i < 10; i++) {
                    answers(server, "a" + i + ".org.");
                }
                assertThat(upstream.connections()).isEqualTo(1);
                assertThat(upstream.requests()).hasSize(10).containsOnly("POST dns.test:" + upstream.port() + " /dns-query");
                assertThat(upstream.queries()).allSatisfy(query -> assertThat(query.getHeader().getID()).isZero());
            }
            try (TestServer server = ForwardTest.serving(to, trust, "tls_servername dns.test", "doh_method GET")) {
                answers(server, "get.org.");
                assertThat(upstream.requests()).last().isEqualTo("GET dns.test:" + upstream.port() + " /dns-query?dns=...");
            }
        }
    }

    /** Looked up by a resolver of the test's, since the name is known nowhere else. */
    @Test
    void aNameMustBeThatOfTheCertificateAndIsWhomTheRequestIsFor() throws Exception {
        try (ScriptedUpstream resolver = ScriptedUpstream.start(asked -> asked.type() == Type.A
                        ? List.of(asked.reply(asked.name() + " 60 A 127.0.0.1").toWire()) : asked.rcode(Rcode.NOERROR));
                ScriptedUpstream upstream = ScriptedUpstream.start(SCRIPT, certificates.server(named));
                HttpUpstream web = new HttpUpstream(named, "h2", SCRIPT)) {
            String lookUp = "resolver " + resolver.address();
            try (TestServer server = ForwardTest.serving("tls://dns.test:" + upstream.port(), trust, lookUp)) {
                answers(server, "a.org.");
            }
            try (TestServer server = ForwardTest.serving("tls://other.test:" + upstream.port(), trust, lookUp)) {
                fails(server, "No subject alternative DNS name matching other.test");
            }
            try (TestServer server = ForwardTest.serving("tls://other.test:" + upstream.port(), trust, lookUp, "tls_servername dns.test")) {
                answers(server, "a.org.");
            }
            try (TestServer server = ForwardTest.serving("https://dns.test:" + web.port(), trust, lookUp)) {
                answers(server, "a.org.");
                assertThat(web.requests()).containsOnly("POST dns.test:" + web.port() + " /dns-query");
            }
        }
    }

    /** No other reply can come on the same stream, so there is nothing to wait for. */
    @Test
    void aReplyToAnotherQuestionOverHttpsOrQuicFails() throws Exception {
        ScriptedUpstream.Script other = asked -> {
            byte[] reply = asked.reply().toWire();
            reply[13] ^= 1;
            return List.of(reply);
        };
        try (HttpUpstream web = new HttpUpstream(named, "h2", other); QuicUpstream quic = new QuicUpstream(named, other)) {
            for (String to : List.of("https://127.0.0.1%dns.test:" + web.port(), "quic://127.0.0.1%dns.test:" + quic.port())) {
                try (TestServer server = ForwardTest.serving(to, trust)) {
                    fails(server, "the reply is not one to the question");
                }
            }
        }
    }

    @Test
    void anUpstreamThatStallsInTheHandshakeIsLeftForAnother() throws Exception {
        try (ServerSocket stalling = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ScriptedUpstream upstream = ScriptedUpstream.start(SCRIPT);
                TestServer server = ForwardTest.serving(
                        "tls://127.0.0.1:" + stalling.getLocalPort() + " " + upstream.address(), trust, "policy sequential")) {
            answers(server, "a.org.");
        }
    }

    @Test
    void httpsThatFailsIsServfailWithTheReason() throws Exception {
        try (HttpUpstream upstream = new HttpUpstream(named, "h2", SCRIPT);
                TestServer server = ForwardTest.serving("https://127.0.0.1:" + upstream.port(), trust, "tls_servername dns.test")) {
            upstream.status("503");
            fails(server, "HTTP status 503");
            upstream.status("200");
            answers(server, "a.org.");
        }
        try (HttpUpstream old = new HttpUpstream(named, "http/1.1", SCRIPT);
                TestServer server = ForwardTest.serving("https://127.0.0.1:" + old.port(), trust, "tls_servername dns.test")) {
            fails(server, "does not speak HTTP/2");
        }
    }

    @Test
    void quicCarriesEachQueryInAStreamOfOneConnection() throws Exception {
        try (QuicUpstream upstream = new QuicUpstream(named, SCRIPT);
                TestServer server = ForwardTest.servingByOneLane("quic://127.0.0.1%dns.test:" + upstream.port(), trust)) {
            for (int i = 0; i < 10; i++) {
                answers(server, "a" + i + ".org.");
            }
            assertThat(upstream.connections()).isEqualTo(1);
            assertThat(upstream.queries()).hasSize(10).allSatisfy(query -> assertThat(query.getHeader().getID()).isZero());
        }
    }

    @Test
    void quicChecksTheNameInTheCertificate() throws Exception {
        try (QuicUpstream upstream = new QuicUpstream(named, SCRIPT);
                TestServer server = ForwardTest.serving("quic://127.0.0.1:" + upstream.port(), trust, "tls_servername other.test")) {
            assertThat(server.ask("bad.org.", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(upstream.queries()).isEmpty();
        }
    }
}
