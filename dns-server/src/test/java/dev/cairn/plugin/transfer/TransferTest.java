package dev.cairn.plugin.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Knot;
import dev.cairn.testing.Programs;
import dev.cairn.testing.RawClient;
import dev.cairn.testing.TcpClient;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;
import org.xbill.DNS.ZoneTransferIn;

class TransferTest {
    private static final String HEAD = """
            $TTL 60
            @   IN SOA ns admin 5 7200 3600 1209600 300
                IN NS  ns
            ns  IN A   192.0.2.53
            www IN TXT "a b"
            *.w IN A   192.0.2.54
            """;
    /** SOA, NS, ns, www, *.w and SOA again. */
    private static final int FEW = 6;

    @TempDir
    Path directory;

    private Path zone(String text) throws IOException {
        return Files.writeString(directory.resolve("db"), text);
    }

    private TestServer server(String zone, String to) throws Exception {
        return TestServer.start("example.org {\n    file " + zone(zone) + " {\n reload 50ms\n}\n    transfer {\n to " + to + "\n}\n}\n");
    }

    private static String many(int names) {
        StringBuilder zone = new StringBuilder(HEAD);
        for (int i = 0; i < names; i++) {
            zone.append("name-").append(i).append(" IN A 10.").append(i >> 16).append('.').append(i >> 8 & 255).append('.').append(i & 255).append('\n');
            zone.append("same IN A 11.").append(i >> 16).append('.').append(i >> 8 & 255).append('.').append(i & 255).append('\n');
        }
        return zone.toString();
    }

    private static String dig(TestServer server, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("dig", "@127.0.0.1", "-p", "" + server.port()));
        command.addAll(List.of(words));
        return Programs.run(command.toArray(String[]::new)).output();
    }

    @Test
    void clientsGetTheWholeZone() throws Exception {
        try (TestServer server = server(HEAD, "*")) {
            String output = dig(server, "example.org", "AXFR");
            assertThat(output).contains("XFR size: " + FEW + " records (messages 1,");
            assertThat(output.lines().filter(line -> line.startsWith("example.org."))).hasSize(3)
                    .first().asString().contains("SOA");
            assertThat(Programs.run("kdig", "@127.0.0.1", "-p", "" + server.port(), "example.org", "AXFR").output())
                    .contains("(1 messages, " + FEW + " records)").contains("www.example.org.");
            Awaitility.await().untilAsserted(() -> assertThat(server.logLinesWith(
                    "plugin/transfer: Outgoing transfer of 6 records of zone \"example.org.\" to 127.0.0.1 for 5 SOA serial")).hasSize(2));
        }
    }

    @Test
    void largeZonesAndSetsComeInManyMessages() throws Exception {
        int names = 8000;
        try (TestServer server = server(many(names), "*")) {
            assertThat(dig(server, "example.org", "AXFR")).containsPattern("XFR size: " + (FEW + 2 * names) + " records \\(messages [1-9][0-9],");
            ZoneTransferIn transfer = ZoneTransferIn.newAXFR(Name.fromString("example.org."), "127.0.0.1", server.port(), null);
            transfer.run();
            assertThat(transfer.getAXFR()).hasSize(FEW + 2 * names);
            assertThat(new HashSet<>(transfer.getAXFR())).as("all but the SOA come once").hasSize(FEW + 2 * names - 1);
        }
    }

    @Test
    void incrementalTransfersAreWholeOrNothing() throws Exception {
        try (TestServer server = server(HEAD, "*")) {
            assertThat(dig(server, "example.org", "IXFR=4")).contains("XFR size: " + FEW + " records");
            assertThat(dig(server, "example.org", "IXFR=5")).contains("XFR size: 1 records");
            assertThat(dig(server, "example.org", "IXFR=6")).contains("XFR size: 1 records");
            try (RawClient client = RawClient.to(server)) {
                assertThat(rcode(client, true, Type.IXFR)).as("without a SOA").isEqualTo(Rcode.FORMERR);
            }
        }
    }

    private static int rcode(RawClient client, boolean tcp, int type) throws IOException {
        return new Message(client.ask(tcp, TestServer.query("example.org.", type).toWire())).getRcode();
    }

    @Test
    void othersAndDatagramsAreRefused() throws Exception {
        try (TestServer server = server(HEAD, "192.0.2.1 127.0.0.2"); RawClient client = RawClient.to(server)) {
            assertThat(rcode(client, true, Type.AXFR)).isEqualTo(Rcode.REFUSED);
            assertThat(rcode(client, false, Type.AXFR)).isEqualTo(Rcode.REFUSED);
            assertThat(dig(server, "-b", "127.0.0.2", "example.org", "AXFR")).contains("XFR size: " + FEW);
            assertThat(dig(server, "-b", "127.0.0.2", "www.example.org", "AXFR")).contains("Transfer failed");
        }
    }

    /** Reads a transfer to its end; returns the number of its records. */
    private static int records(TcpClient client) throws IOException {
        int records = 0;
        Record last = null;
        while (records == 0 || last == null || last.getType() != Type.SOA) {
            List<Record> some = client.read().getSection(Section.ANSWER);
            records += some.size();
            last = some.size() == 1 && records == 1 ? null : some.getLast();
        }
        return records;
    }

    @Test
    void aClientThatDoesNotReadIsWaitedForAndTheNextQueryToo() throws Exception {
        int names = 60_000; // some 14 MiB
        StringBuilder zone = new StringBuilder(HEAD);
        for (int i = 0; i < names; i++) {
            zone.append("t IN TXT ").append("x".repeat(220)).append(i).append('\n');
        }
        try (TestServer server = server(zone.toString(), "*"); TcpClient client = new TcpClient(server.port(), 4096)) {
            client.send(TcpClient.frames(TestServer.query("example.org.", Type.AXFR), TestServer.query("ns.example.org.", Type.A)));
            try (TcpClient quick = new TcpClient(server.port())) {
                quick.send(TcpClient.frames(TestServer.query("example.org.", Type.AXFR)));
                assertThat(records(quick)).isEqualTo(FEW + names);
            }
            Awaitility.await().until(() -> server.logLinesWith("Outgoing transfer").findAny().isPresent());
            assertThat(server.logLinesWith("Outgoing transfer")).as("the other's, which is more than buffers hold, is not over").hasSize(1);
            assertThat(records(client)).isEqualTo(FEW + names);
            assertThat(TestServer.answers(client.read())).containsExactly("ns.example.org. 60 IN A 192.0.2.53");
        }
    }

    @Test
    void queriesBehindATransferAreAnsweredAfterIt() throws Exception {
        try (TestServer server = server(HEAD, "*"); TcpClient client = new TcpClient(server.port())) {
            client.send(TcpClient.frames(TestServer.query("example.org.", Type.AXFR), TestServer.query("ns.example.org.", Type.A),
                    TestServer.query("example.org.", Type.AXFR), TestServer.query("ns.example.org.", Type.A)));
            for (int i = 0; i < 2; i++) {
                assertThat(client.read().getSection(Section.ANSWER)).hasSize(FEW);
                assertThat(TestServer.answers(client.read())).containsExactly("ns.example.org. 60 IN A 192.0.2.53");
            }
        }
    }

    @Test
    void knotFetchesTheZoneAndHearsOfChanges() throws Exception {
        int port = Knot.freePort();
        try (TestServer server = server(HEAD, "127.0.0.1:" + port); Knot knot = new Knot(directory, port, """
                remote:
                  - id: primary
                    address: 127.0.0.1@%d
                acl:
                  - id: primary
                    address: 127.0.0.1
                    action: notify
                zone:
                  - domain: example.org
                    storage: "%s"
                    file: knot.zone
                    master: primary
                    acl: primary
                """.formatted(server.port(), directory)).awaitZone("example.org")) {
            assertThat(TestServer.answers(TestServer.ask(port, TestServer.query("www.example.org.", Type.TXT), false)))
                    .containsExactly("www.example.org. 60 IN TXT \"a b\"");
            zone(HEAD.replace("admin 5 ", "admin 6 ").replace("a b", "a c"));
            Awaitility.await().untilAsserted(() ->
                    assertThat(TestServer.answers(TestServer.ask(port, TestServer.query("www.example.org.", Type.TXT), false)))
                            .as(knot.log()).containsExactly("www.example.org. 60 IN TXT \"a c\""));
        }
    }

    @ParameterizedTest
    @MethodSource
    void mistakesAreTold(String directive, String message) throws IOException {
        assertThat(TestServer.errorsOf("example.org {\n" + directive + "\n}\n")).singleElement().asString().contains(message);
    }

    static Stream<Arguments> mistakesAreTold() {
        return Stream.of(
                Arguments.of("transfer", "Corefile:2: plugin/transfer: 'to' is required"),
                Arguments.of("transfer {\nto\n}", "Corefile:3: plugin/transfer: to: wants at least 1 argument"),
                Arguments.of("transfer {\nto example.org\n}", "to: \"example.org\" is not an IP address"),
                Arguments.of("transfer {\nto 10.0.0.1:x\n}", "to: \"10.0.0.1:x\" has no valid port"),
                Arguments.of("transfer {\nto *\nsource eth0\n}", "source: \"eth0\" is not an IP address"),
                Arguments.of("transfer {\nto *\nfrom *\n}", "unknown property \"from\""));
    }
}
