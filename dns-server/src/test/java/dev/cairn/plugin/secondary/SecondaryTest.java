package dev.cairn.plugin.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Knot;
import dev.cairn.testing.Programs;
import dev.cairn.testing.RawClient;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** With Knot as the primary. */
class SecondaryTest {
    @TempDir
    Path directory;

    private void zone(int serial, String times, String address) throws IOException {
        Files.writeString(directory.resolve("zone"), "$TTL 60\n@ IN SOA ns.example.org. admin.example.org. " + serial + " " + times
                + " 300\n  IN NS ns\nns IN A 192.0.2.53\nwww IN A " + address + "\n*.w IN TXT \"some text\"\n");
    }

    private Knot knot(int port, int notified) throws IOException {
        return new Knot(directory, port, """
                remote:
                  - id: us
                    address: 127.0.0.1@%d
                acl:
                  - id: us
                    address: 127.0.0.1
                    action: transfer
                zone:
                  - domain: example.org
                    storage: "%s"
                    file: zone
                    zonefile-sync: -1
                    journal-content: none
                    notify: us
                    acl: us
                """.formatted(notified, directory)).awaitZone("example.org");
    }

    private static String corefile(int primary, String more) {
        return "example.org {\n    secondary {\n transfer from 127.0.0.1:" + primary + "\n}\n    transfer {\n to *\n}\n" + more + "}\n";
    }

    private static void await(ThrowingRunnable what) {
        Awaitility.await().pollInterval(Duration.ofMillis(50)).untilAsserted(what);
    }

    private static void address(TestServer server, String address) throws IOException {
        assertThat(TestServer.answers(server.ask("www.example.org.", Type.A))).containsExactly("www.example.org. 60 IN A " + address);
    }

    @Test
    void aZoneIsFetchedKeptOverReloadsAndFetchedAgainOnNotify() throws Exception {
        zone(1, "3600 600 86400", "192.0.2.1");
        int port = Knot.freePort();
        try (TestServer server = TestServer.start(corefile(port, ""))) {
            assertThat(server.ask("www.example.org.", Type.A).getRcode()).as("before it is there").isEqualTo(Rcode.SERVFAIL);
            try (Knot knot = knot(port, server.port())) {
                await(() -> address(server, "192.0.2.1"));
                assertThat(TestServer.answers(server.ask("a.w.example.org.", Type.TXT))).containsExactly("a.w.example.org. 60 IN TXT \"some text\"");
                assertThat(Programs.run("dig", "@127.0.0.1", "-p", "" + server.port(), "example.org", "AXFR").output())
                        .contains("XFR size: 6 records");
                zone(2, "3600 600 86400", "192.0.2.2");
                knot.reload();
                await(() -> address(server, "192.0.2.2"));
                assertThat(server.logLinesWith("plugin/secondary: Notify from 127.0.0.1 for example.org.: checking transfer")).isNotEmpty();
            }
            assertThat(server.reload(corefile(port, "    whoami\n"))).isTrue();
            address(server, "192.0.2.2");
        }
    }

    @Test
    void aZoneIsAskedForInTimeAndExpires() throws Exception {
        zone(1, "1 1 3", "192.0.2.1");
        int port = Knot.freePort();
        try (TestServer server = TestServer.start(corefile(port, ""))) {
            try (Knot knot = knot(port, Knot.freePort())) {
                await(() -> address(server, "192.0.2.1"));
                zone(2, "1 1 3", "192.0.2.2");
                knot.reload();
                await(() -> address(server, "192.0.2.2"));
                assertThat(server.logLinesWith("Notify")).as("Knot tells somebody else").isEmpty();
            }
            await(() -> assertThat(server.ask("www.example.org.", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL));
            assertThat(server.logLinesWith("Zone example.org. is expired")).hasSize(1);
            try (Knot _ = knot(port, Knot.freePort())) {
                await(() -> address(server, "192.0.2.2"));
            }
        }
    }

    @Test
    void notifyIsTakenFromPrimariesOnly() throws Exception {
        Message notify = TestServer.query("example.org.", Type.SOA);
        notify.getHeader().setOpcode(Opcode.NOTIFY);
        byte[] wire = notify.toWire();
        try (TestServer server = TestServer.start(corefile(Knot.freePort(), "    whoami\n")); RawClient client = RawClient.to(server);
                DatagramSocket stranger = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.2"))) {
            Message reply = new Message(client.ask(false, wire));
            assertThat(reply.getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(reply.getHeader().getOpcode()).isEqualTo(Opcode.NOTIFY);
            assertThat(reply.getHeader().getFlag(Flags.AA)).isTrue();
            stranger.send(new DatagramPacket(wire, wire.length, InetAddress.getLoopbackAddress(), server.port()));
            await(() -> assertThat(server.logLinesWith("Dropping notify from 127.0.0.2 for example.org.")).hasSize(1));
            Message other = TestServer.query("www.example.org.", Type.SOA);
            other.getHeader().setOpcode(Opcode.NOTIFY);
            assertThat(new Message(client.ask(true, other.toWire())).getRcode()).as("not a zone").isEqualTo(Rcode.NOTIMP);
        }
    }

    @ParameterizedTest
    @MethodSource
    void mistakesAreTold(String lines, String message) throws IOException {
        assertThat(TestServer.errorsOf("example.org {\nsecondary {\n" + lines + "\n}\n}\n")).singleElement().asString().contains(message);
    }

    static Stream<Arguments> mistakesAreTold() {
        return Stream.of(
                Arguments.of("fallthrough", "Corefile:2: plugin/secondary: does not say where to fetch the zone"),
                Arguments.of("transfer from", "Corefile:3: plugin/secondary: transfer: wants at least 2 arguments, got 1; write: transfer from ADDRESS..."),
                Arguments.of("transfer to 10.0.0.1", "\"to\" is not known here; write: transfer from ADDRESS..."),
                Arguments.of("transfer from primary.example.org", "\"primary.example.org\" is not an IP address"),
                Arguments.of("transfer from 10.0.0.1\ncatalog", "catalog zones are not served"));
    }
}
