package dev.cairn.plugin.tsig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.Programs;
import dev.cairn.testing.RawClient;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.TSIG;
import org.xbill.DNS.TSIGRecord;
import org.xbill.DNS.Type;
import org.xbill.DNS.ZoneTransferIn;

class TsigTest {
    private static final String SECRET = "NoTCJU+DMqFWywaPyxSijrDEA/eC3nK0xi3AMEZuPVk=";
    private static final String OTHER = "bm90IHRoZSBzZWNyZXQgdGhhdCB0aGUgc2VydmVyIGhhcw==";

    @TempDir
    Path directory;

    private TestServer server(String more) throws Exception {
        Path zone = directory.resolve("db");
        StringBuilder text = new StringBuilder("$TTL 60\n@ IN SOA ns admin 5 7200 3600 1209600 300\n  IN NS ns\nns IN A 192.0.2.53\n");
        for (int i = 0; i < 3000; i++) {
            text.append("big IN TXT text-number-").append(i).append('\n');
        }
        Files.writeString(zone, text);
        return TestServer.start("example.org {\n    tsig {\n secret key.example.org. " + SECRET + "\n" + more
                + "\n}\n    transfer {\n to *\n}\n    file " + zone + "\n}\n");
    }

    private static String dig(TestServer server, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("dig", "@127.0.0.1", "-p", "" + server.port()));
        command.addAll(List.of(words));
        return Programs.run(command.toArray(String[]::new)).output();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hmac-sha1", "hmac-sha224", "hmac-sha256", "hmac-sha384", "hmac-sha512"})
    void digVerifiesSignedReplies(String algorithm) throws Exception {
        try (TestServer server = server("")) {
            String key = algorithm + ":key.example.org:" + SECRET;
            assertThat(dig(server, "-y", key, "ns.example.org", "A")).contains("status: NOERROR", "192.0.2.53", "TSIG PSEUDOSECTION")
                    .doesNotContain("Couldn't verify").doesNotContain("tsig verify failure");
            assertThat(dig(server, "-y", key, "+tcp", "no.example.org", "A")).contains("status: NXDOMAIN", "TSIG PSEUDOSECTION")
                    .doesNotContain("verify");
        }
    }

    @Test
    void transfersAreSignedMessageByMessage() throws Exception {
        try (TestServer server = server("require AXFR IXFR")) {
            assertThat(dig(server, "example.org", "AXFR")).contains("Transfer failed");
            assertThat(dig(server, "-y", "hmac-sha256:key.example.org:" + SECRET, "example.org", "AXFR"))
                    .containsPattern("XFR size: 3[0-9]{3} records \\(messages [1-9]").doesNotContain("verify failure");
            assertThat(Programs.run("kdig", "@127.0.0.1", "-p", "" + server.port(), "-y", "hmac-sha512:key.example.org:" + SECRET, "example.org",
                    "AXFR").output()).contains(" 3004 records)").doesNotContain("WARNING");
            TSIG key = new TSIG(TSIG.HMAC_SHA256, "key.example.org.", SECRET);
            ZoneTransferIn transfer = ZoneTransferIn.newAXFR(Name.fromString("example.org."), "127.0.0.1", server.port(), key);
            transfer.run();
            assertThat(transfer.getAXFR()).hasSize(3004);
            assertThat(dig(server, "ns.example.org", "A")).contains("192.0.2.53");
        }
    }

    @Test
    void wrongSignaturesAreToldWhy() throws Exception {
        try (TestServer server = server("")) {
            assertThat(dig(server, "-y", "hmac-sha256:key.example.org:" + OTHER, "ns.example.org")).contains("status: NOTAUTH", "BADSIG");
            assertThat(dig(server, "-y", "hmac-sha256:unknown.example.org:" + SECRET, "ns.example.org")).contains("status: NOTAUTH", "BADKEY");
            assertThat(dig(server, "-y", "hmac-md5:key.example.org:" + SECRET, "ns.example.org")).contains("status: NOTAUTH", "BADKEY");
        }
    }

    @Test
    void aClockTooFarApartIsToldTheTime() throws Exception {
        try (TestServer server = server(""); RawClient client = RawClient.to(server)) {
            Clock late = Clock.fixed(Instant.now().minus(Duration.ofHours(1)), ZoneOffset.UTC);
            TSIG key = new TSIG(TSIG.HMAC_SHA256, Name.fromString("key.example.org."),
                    new SecretKeySpec(Base64.getDecoder().decode(SECRET), "HmacSHA256"), late);
            Message query = TestServer.query("ns.example.org.", Type.A);
            key.apply(query, null);
            byte[] sent = query.toWire();
            byte[] bytes = client.ask(false, sent);
            Message reply = new Message(bytes);
            TSIGRecord signature = reply.getTSIG();
            assertThat(reply.getRcode()).isEqualTo(Rcode.NOTAUTH);
            assertThat(signature.getError()).isEqualTo(Rcode.BADTIME);
            assertThat(signature.getTimeSigned().getEpochSecond()).isEqualTo(late.instant().getEpochSecond());
            assertThat(signature.getOther()).hasSize(6);
            assertThat(key.verify(reply, bytes, new Message(sent).getTSIG())).as("the reply is signed").isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void aSignedReplyFitsIntoWhatTheClientTakes() throws Exception {
        try (TestServer server = server(""); RawClient client = RawClient.to(server)) {
            TSIG key = new TSIG(TSIG.HMAC_SHA512, "key.example.org.", SECRET);
            Message query = TestServer.query("big.example.org.", Type.TXT);
            query.addRecord(new OPTRecord(1232, 0, 0), Section.ADDITIONAL);
            key.apply(query, null);
            byte[] sent = query.toWire();
            byte[] bytes = client.ask(false, sent);
            assertThat(bytes.length).isLessThanOrEqualTo(1232);
            assertThat(new Message(bytes).getHeader().getFlag(Flags.TC)).isTrue();
            assertThat(key.verify(new Message(bytes), bytes, new Message(sent).getTSIG())).isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void whatMustBeSignedIsRefusedOtherwise() throws Exception {
        try (TestServer server = server("require A"); RawClient client = RawClient.to(server)) {
            assertThat(server.ask("ns.example.org.", Type.A).getRcode()).isEqualTo(Rcode.REFUSED);
            assertThat(server.ask("ns.example.org.", Type.AAAA).getRcode()).isEqualTo(Rcode.NOERROR);
            Message query = TestServer.query("ns.example.org.", Type.A);
            new TSIG(TSIG.HMAC_SHA256, "key.example.org.", SECRET).apply(query, null);
            Message twice = new Message(query.toWire());
            Message behind = TestServer.query("ns.example.org.", Type.A);
            behind.addRecord(twice.getTSIG(), Section.ADDITIONAL);
            behind.addRecord(new OPTRecord(1232, 0, 0), Section.ADDITIONAL);
            assertThat(new Message(client.ask(false, behind.toWire())).getRcode()).as("not the last record").isEqualTo(Rcode.FORMERR);
        }
        try (TestServer server = server("require_opcode all")) {
            assertThat(server.ask("ns.example.org.", Type.AAAA).getRcode()).isEqualTo(Rcode.REFUSED);
        }
    }

    @Test
    void keysComeFromAFile() throws Exception {
        Path keys = Files.writeString(directory.resolve("keys"), """
                # made for the test
                key "one.example." { algorithm hmac-sha256; secret "%s"; };
                key two.example. {
                    secret "%s";
                };
                """.formatted(SECRET, OTHER));
        try (TestServer server = server("secrets " + keys)) {
            assertThat(dig(server, "-y", "hmac-sha256:one.example:" + SECRET, "ns.example.org")).contains("NOERROR").doesNotContain("verify");
            assertThat(dig(server, "-y", "hmac-sha256:Two.Example:" + OTHER, "ns.example.org")).contains("NOERROR").doesNotContain("verify");
        }
        Files.writeString(keys, "key one.example. { algorithm hmac-sha256; };");
        assertThatThrownBy(() -> server("secrets " + keys)).isInstanceOf(IOException.class).hasMessageContaining(keys + ": a key has no secret");
    }

    @ParameterizedTest
    @MethodSource
    void mistakesAreTold(String line, String message) throws IOException {
        assertThat(TestServer.errorsOf("example.org {\ntsig {\n" + line + "\n}\n}\n")).singleElement().asString().contains(message);
    }

    static Stream<Arguments> mistakesAreTold() {
        return Stream.of(
                Arguments.of("secret a.", "Corefile:3: plugin/tsig: secret: wants 2 arguments, got 1; write: secret NAME KEY"),
                Arguments.of("secret a. %%%", "secret: the key is not base64"),
                Arguments.of("secret a. " + SECRET + "\nsecret A " + SECRET, "Corefile:4: plugin/tsig: secret: key \"A.\" is defined twice"),
                Arguments.of("require AXFRR", "require: unknown query type \"AXFRR\""),
                Arguments.of("require_opcode PUSH", "require_opcode: unknown opcode \"PUSH\""),
                Arguments.of("secretz x", "unknown property \"secretz\", did you mean secret?"));
    }
}
