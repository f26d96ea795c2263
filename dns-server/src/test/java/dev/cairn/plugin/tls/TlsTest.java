package dev.cairn.plugin.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.Programs;
import dev.cairn.testing.TestCertificates;
import dev.cairn.testing.TestCertificates.Leaf;
import dev.cairn.testing.TestServer;
import dev.cairn.testing.TlsClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

class TlsTest {
    @TempDir
    static Path directory;

    private static TestCertificates certificates;
    private static Leaf ec;
    private static Leaf rsa;

    @BeforeAll
    static void make() throws Exception {
        certificates = new TestCertificates(directory);
        ec = certificates.leaf("ec", "EC");
        rsa = certificates.leaf("rsa", "RSA");
    }

    private static String corefile(String tls) {
        return "tls://.:0 {\n bind 127.0.0.1\n tls " + tls + "\n whoami\n}\n";
    }

    private static Message query() throws IOException {
        return TestServer.query("example.org", Type.A);
    }

    @ParameterizedTest
    @ValueSource(strings = {"+tls", "+tls +tls-hostname=localhost +tls-ca=CA", "+tls +tls-sni=localhost +keepopen"})
    void servesTheClientsOfOthers(String options) throws Exception {
        try (TestServer server = TestServer.start(corefile(ec.arguments()))) {
            String[] command = ("kdig @127.0.0.1 -p " + server.port() + " example.org +timeout=60 +retry=0 "
                    + options.replace("CA", certificates.authority().toString())).split(" ");
            assertThat(Programs.run(command).output()).contains("TLS session (TLS1.3)", "status: NOERROR", "_tcp.example.org.");
        }
    }

    @Test
    void agreesOnDotByAlpnWithThoseWhoAsk() throws Exception {
        try (TestServer server = TestServer.start(corefile(ec.arguments()))) {
            assertThat(Programs.run("openssl", "s_client", "-connect", "127.0.0.1:" + server.port(), "-alpn", "dot").output())
                    .contains("ALPN protocol: dot", "TLSv1.3");
            assertThat(Programs.run("openssl", "s_client", "-connect", "127.0.0.1:" + server.port(), "-tls1_2").output())
                    .contains("No ALPN negotiated", "TLSv1.2");
            assertThat(Programs.run("openssl", "s_client", "-connect", "127.0.0.1:" + server.port(), "-tls1_1").code()).isNotZero();
        }
    }

    /** BoringSSL serves the first two kinds, the JDK the third. */
    @ParameterizedTest
    @CsvSource({"EC,-tls1_3", "EC,-tls1_2", "RSA,-tls1_3", "RSA,-tls1_2", "Ed25519,-tls1_3", "Ed25519,-tls1_2"})
    void servesKeysOfAllKinds(String algorithm, String version) throws Exception {
        Leaf leaf = certificates.leaf("kind-" + algorithm + version, algorithm);
        try (TestServer server = TestServer.start(corefile(leaf.arguments()))) {
            assertThat(sClient(server, version, "-verify_return_error", "-CAfile", certificates.authority().toString()).output())
                    .contains("Verify return code: 0 (ok)", "CN = kind-" + algorithm + version);
        }
    }

    @ParameterizedTest
    @CsvSource({"EC,-tls1_3", "EC,-tls1_2", "RSA,-tls1_3", "RSA,-tls1_2"})
    void resumesSessions(String algorithm, String version) throws Exception {
        Leaf leaf = algorithm.equals("EC") ? ec : rsa;
        Path session = directory.resolve("session" + algorithm + version);
        try (TestServer server = TestServer.start("tls://.:0 {\n bind 127.0.0.1\n tls " + leaf.arguments()
                + "\n timeouts {\n read 1s\n }\n whoami\n}\n")) {
            // Tickets come after the handshake, so the client waits until the server ends the connection; a busy machine may do so too soon.
            Awaitility.await().until(() -> {
                sClient(server, version, "-ign_eof", "-sess_out", session.toString());
                return Files.exists(session) && sClient(server, version, "-sess_in", session.toString()).output().contains("Reused, TLSv1.");
            });
        }
    }

    @Test
    void takesNoCipherThatDoesNotForgetItsKeys() throws Exception {
        try (TestServer server = TestServer.start(corefile(rsa.arguments()))) {
            assertThat(sClient(server, "-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256").code()).isZero();
            for (String cipher : List.of("AES128-GCM-SHA256", "ECDHE-RSA-AES128-SHA", "DHE-RSA-AES128-GCM-SHA256")) {
                assertThat(sClient(server, "-tls1_2", "-cipher", cipher).code()).as(cipher).isNotZero();
            }
        }
    }

    private static Programs.Result sClient(TestServer server, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-connect", "127.0.0.1:" + server.port()));
        command.addAll(List.of(options));
        return Programs.run(command.toArray(String[]::new));
    }

    static Stream<List<String>> keys() {
        return Stream.of(
                List.of("rsa", "openssl", "pkey", "-in", "rsa.key", "-traditional", "-out", "OUT"),
                List.of("ec", "openssl", "pkey", "-in", "ec.key", "-traditional", "-out", "OUT"),
                List.of("ec", "openssl", "ec", "-in", "ec.key", "-param_out", "-out", "PARAMETERS"),
                List.of("rsa", "openssl", "pkey", "-in", "rsa.key", "-out", "OUT"));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void readsKeysAsOpensslWritesThem(List<String> made) throws Exception {
        Leaf leaf = made.getFirst().equals("rsa") ? rsa : ec;
        Path key = directory.resolve("converted.key");
        String[] command = made.stream().skip(1)
                .map(word -> word.endsWith(".key") ? leaf.key().toString() : word.equals("OUT") || word.equals("PARAMETERS")
                ? key.toString() : word)
                .toArray(String[]::new);
        assertThat(Programs.run(command).code()).isZero();
        if (made.contains("PARAMETERS")) { // the form with two blocks
            Path bare = directory.resolve("bare.key");
            assertThat(Programs.run("openssl", "pkey", "-in", leaf.key().toString(), "-traditional", "-out", bare.toString()).code())
                    .isZero();
            Files.writeString(key, Files.readString(key) + Files.readString(bare));
        }
        try (TestServer server = TestServer.start(corefile(leaf.certificate() + " " + key));
                TlsClient client = new TlsClient(server.port(), certificates.client(true))) {
            assertThat(client.ask(query()).getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "nocert,             true,  true",
        "request,            true,  true",
        "request,            false, true",
        "require,            true,  false",
        "require,            false, true",
        "verify_if_given,    true,  true",
        "verify_if_given,    false, true",
        "require_and_verify, true,  false",
        "require_and_verify, false, true"})
    void asksForCertificatesOfClients(String policy, boolean anonymous, boolean served) throws Exception {
        String tls = ec.arguments() + " " + certificates.authority() + " {\n client_auth " + policy + "\n }";
        try (TestServer server = TestServer.start(corefile(tls));
                TlsClient client = new TlsClient(server.port(), certificates.client(anonymous))) {
            if (served) {
                assertThat(client.ask(query()).getRcode()).isEqualTo(Rcode.NOERROR);
            } else {
                assertThatThrownBy(() -> client.ask(query())).isInstanceOf(IOException.class); // an alert, or a reset
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"require,true", "verify_if_given,false", "require_and_verify,false"})
    void doesNotTrustCertificatesOfStrangers(String policy, boolean served, @TempDir Path elsewhere) throws Exception {
        TestCertificates others = new TestCertificates(elsewhere);
        String tls = ec.arguments() + " " + others.authority() + " {\n client_auth " + policy + "\n }";
        try (TestServer server = TestServer.start(corefile(tls));
                TlsClient client = new TlsClient(server.port(), certificates.client(false))) {
            if (served) {
                assertThat(client.ask(query()).getRcode()).isEqualTo(Rcode.NOERROR);
            } else {
                assertThatThrownBy(() -> client.ask(query())).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void takesOverFilesThatChange(@TempDir Path mounted) throws Exception {
        Path certificate = Files.copy(ec.certificate(), mounted.resolve("tls.crt"));
        Path key = Files.copy(ec.key(), mounted.resolve("tls.key"));
        try (TestServer server = TestServer.start(corefile(certificate + " " + key));
                TlsClient old = new TlsClient(server.port(), certificates.client(true))) {
            assertThat(old.ask(query()).getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(old.subject()).isEqualTo("CN=ec");
            Files.writeString(certificate, "no certificate at all");
            Awaitility.await().until(() -> server.logLinesWith("Cannot take over").findAny().isPresent());
            assertThat(server.logLinesWith("Cannot take over")).singleElement().asString()
                    .contains(certificate.toString(), "the old one goes on");
            assertThat(subject(server)).isEqualTo("CN=ec");
            Files.copy(rsa.key(), key, StandardCopyOption.REPLACE_EXISTING);
            Files.copy(rsa.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING);
            Awaitility.await().until(() -> subject(server).equals("CN=rsa"));
            assertThat(old.ask(query()).getRcode()).isEqualTo(Rcode.NOERROR); // connections go on as they began
        }
    }

    private static String subject(TestServer server) throws Exception {
        try (TlsClient client = new TlsClient(server.port(), certificates.client(true))) {
            client.ask(query());
            return client.subject();
        }
    }

    @Test
    void aReloadKeepsConnectionsAndTakesAnotherCertificate() throws Exception {
        try (TestServer server = TestServer.start(corefile(ec.arguments()));
                TlsClient old = new TlsClient(server.port(), certificates.client(true))) {
            old.ask(query());
            int port = server.port();
            assertThat(server.reload(corefile(directory.resolve("absent.crt") + " " + ec.key()))).isFalse();
            assertThat(server.logLinesWith("Reloading failed")).singleElement().asString().contains("absent.crt: there is no such file");
            assertThat(server.reload(corefile(rsa.arguments()))).isTrue();
            assertThat(server.port()).isEqualTo(port);
            assertThat(subject(server)).isEqualTo("CN=rsa");
            assertThat(old.ask(query()).getRcode()).isEqualTo(Rcode.NOERROR);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            absent.crt ec.key  | absent.crt: there is no such file
            ec.crt absent.key  | absent.key: there is no such file
            ec.key ec.key      | ec.key: there is no certificate (-----BEGIN CERTIFICATE-----) in it
            ec.crt ec.crt      | ec.crt: there is no private key (-----BEGIN PRIVATE KEY-----) in it
            ec.crt rsa.key     | rsa.key: the private key is not that of the certificate in
            text ec.key        | text: there is nothing of the form -----BEGIN ...----- in it; the file must be PEM
            ec.crt cut.key     | cut.key: the private key is neither RSA, EC nor EdDSA, or it is damaged
            ec.crt locked.key  | locked.key: the key is encrypted
            ec.crt ec.key text | text: there is nothing of the form
            """)
    void doesNotStartWithFilesThatCannotBeUsed(String files, String message) throws Exception {
        Files.writeString(directory.resolve("text"), "hello");
        Files.writeString(directory.resolve("cut.key"), "-----BEGIN PRIVATE KEY-----\nMEECAQAw\n-----END PRIVATE KEY-----\n");
        Programs.run("openssl", "pkey", "-in", ec.key().toString(), "-aes128", "-passout", "pass:secret", "-out",
                directory.resolve("locked.key").toString());
        String corefile = "tls://.:0 {\n root " + directory + "\n tls " + files + "\n whoami\n}\n";
        assertThatThrownBy(() -> TestServer.start(corefile).close()).isInstanceOf(IOException.class).hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tls a.pem                                | wants 2 to 3 arguments, got 1; write: tls CERT KEY [CA]
            tls a.pem b.pem c.pem d.pem              | wants 2 to 3 arguments, got 4
            tls a.pem b.pem {;client_auth never;}    | "never" is not known here
            tls a.pem b.pem {;client_auth;}          | wants 1 argument, got 0
            tls a.pem b.pem {;clientauth require;}   | unknown property "clientauth", did you mean client_auth?
            tls a.pem b.pem {;keylog /tmp/x;}        | secrets of connections are not written to files here
            tls {;acme example.org;}                 | certificates are not obtained by ACME here
            tls a.pem b.pem;tls a.pem b.pem          | can only be used once per server block
            """)
    void saysWhatIsWrongAndWhatToWrite(String directive, String message) throws Exception {
        assertThat(TestServer.errorsOf("tls://.:0 {\n" + directive.replace(';', '\n') + "\n whoami\n}")).singleElement().asString()
                .contains(message);
    }

    @Test
    void blocksThatShareAnAddressShareTheirIdentity() throws Exception {
        String other = "tls://example.net:0 {\n bind 127.0.0.1\n tls " + rsa.arguments() + "\n whoami\n}\n";
        assertThat(TestServer.errorsOf(corefile(ec.arguments()) + other)).singleElement().asString()
                .contains("share tls://127.0.0.1:0 but not their tls line");
        try (TestServer server = TestServer.start(corefile(ec.arguments()) + other.replace(rsa.arguments(), ec.arguments()))) {
            assertThat(subject(server)).isEqualTo("CN=ec");
        }
    }

    @Test
    void withoutTheDirectiveNothingIsEncrypted() throws Exception {
        try (TestServer server = TestServer.start("tls://.:0 {\n bind 127.0.0.1\n whoami\n}\n")) {
            assertThat(TestServer.ask(server.port(), query(), true).getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(server.logLinesWith("served in the clear")).hasSize(1);
        }
    }
}
