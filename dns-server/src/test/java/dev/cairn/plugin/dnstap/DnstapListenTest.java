package dev.cairn.plugin.dnstap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cairn.chain.Exchange;
import dev.cairn.chain.Plugin;
import dev.cairn.chain.Step;
import dev.cairn.log.Log;
import dev.cairn.testing.Programs;
import dev.cairn.testing.TestCertificates;
import dev.cairn.testing.TestChain;
import dev.cairn.testing.TestServer;
import dev.cairn.wire.Rcode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Type;

class DnstapListenTest {
    private static final Pattern PORT = Pattern.compile("Listening for collectors on t..://127.0.0.1:([0-9]+)");

    @TempDir
    Path directory;

    private Path socket;

    @BeforeEach
    void name() {
        socket = directory.resolve("tap");
    }

    private static int port(TestServer server) {
        Matcher found = PORT.matcher(String.join("\n", server.log()));
        assertThat(found.find()).as(server.log().toString()).isTrue();
        return Integer.parseInt(found.group(1));
    }

    private static void awaitReady(TapReceiver... collectors) {
        for (TapReceiver collector : collectors) {
            await().until(() -> collector.events().contains("ready"));
        }
    }

    @Test
    void collectorsThatConnectGetWhatComesFromThenOn() throws Exception {
        try (TestServer server = TestServer.start(". {\n dnstap listen unix://" + socket + " full {\n  identity me\n }\n whoami\n}")) {
            server.ask("early.example", Type.A);
            try (TapReceiver one = TapReceiver.connectedTo(socket);
                    TapReceiver two = TapReceiver.connectedTo(socket)) {
                awaitReady(one, two);
                await().until(() -> server.logLinesWith("A collector connected to " + socket).count() == 2);
                server.ask("example.org", Type.A);
                await().until(() -> one.messages().size() == 2 && two.messages().size() == 2);
                assertThat(one.messages().getFirst()).containsEntry(1, "me".getBytes(StandardCharsets.US_ASCII));

                two.cut();
                await().until(() -> server.logLinesWith("A collector left " + socket).count() == 1);
                server.ask("example.org", Type.A);
                await().until(() -> one.messages().size() == 4);
                server.server().stop();
                await().until(() -> one.events().contains("control 3"));
                assertThat(one.messages()).hasSize(4);
            }
        }
        assertThat(socket).doesNotExist();
    }

    @Test
    void collectorsStayOverAReloadAndAreToldWhenThereIsNoListenerAnyMore() throws Exception {
        String listening = ". {\n dnstap listen " + socket + "\n whoami\n}";
        try (TestServer server = TestServer.start(listening);
                TapReceiver collector = TapReceiver.connectedTo(socket)) {
            awaitReady(collector);
            await().until(() -> server.logLinesWith("A collector connected").count() == 1);
            assertThat(server.reload(". {\n dnstap listen " + socket + " full\n whoami\n}")).isTrue();
            server.ask("example.org", Type.A);
            await().until(() -> collector.messages().size() == 2);
            assertThat(DnstapTest.message(collector.messages().getFirst())).as("as the new Corefile has it").containsKey(10);
            assertThat(socket).exists();

            assertThat(server.reload(". {\n whoami\n}")).isTrue();
            await().until(() -> collector.events().contains("control 3"));
            assertThat(socket).doesNotExist();
            assertThat(server.reload(listening)).isTrue();
            try (TapReceiver next = TapReceiver.connectedTo(socket)) {
                awaitReady(next);
            }
        }
    }

    /** As CoreDNS would not have it: there the second block finds the address taken. */
    @Test
    void blocksThatNameTheSameAddressShareIt() throws Exception {
        try (TestServer server = TestServer.start(
                        "one {\n dnstap listen " + socket + "\n whoami\n}\ntwo {\n dnstap listen " + socket + "\n whoami\n}");
                TapReceiver collector = TapReceiver.connectedTo(socket)) {
            awaitReady(collector);
            await().until(() -> server.logLinesWith("A collector connected").count() == 1);
            server.ask("a.one", Type.A);
            server.ask("a.two", Type.A);
            await().until(() -> collector.messages().size() == 4);
        }
    }

    @Test
    void oneThatDoesNotReadCostsNoneButItself() throws Exception {
        Plugin below = new Plugin() {
            @Override
            public String name() {
                return "below";
            }

            @Override
            public Step query(Exchange exchange) {
                return exchange.refuse(Rcode.REFUSED);
            }
        };
        byte[] query = TestServer.query("example.org", Type.A).toWire();
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream before = Log.redirect(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (TestChain chain = new TestChain("dnstap listen " + socket, List.of(new DnstapSetup()), below);
                SocketChannel slow = SocketChannel.open(UnixDomainSocketAddress.of(socket));
                TapReceiver fast = TapReceiver.connectedTo(socket)) {
            TapReceiver.greetOnly(slow);
            awaitReady(fast);
            await().until(() -> log.toString(StandardCharsets.UTF_8).split("A collector connected", -1).length == 3);
            Exchange exchange = new Exchange();
            String lost = "cairn_dnstap_dropped_messages_total{sink=\"" + socket + "\"} ";
            while (!chain.metrics().lines().anyMatch(line -> line.startsWith(lost) && !line.endsWith(" 0"))) {
                int soFar = fast.messages().size();
                for (int i = 0; i < 500; i++) {
                    chain.handle(exchange, query, (_, _, _) -> {});
                }
                await().until(() -> fast.messages().size() == soFar + 1000);
            }
            assertThat(fast.messages()).hasSizeGreaterThan(10_000);
        } finally {
            Log.redirect(before);
        }
        assertThat(socket).doesNotExist();
    }

    @Test
    void thereAreNotMoreThanSoMany() throws Exception {
        try (TestServer server = TestServer.start(". {\n dnstap listen " + socket + "\n whoami\n}")) {
            List<TapReceiver> all = new ArrayList<>();
            try {
                for (int i = 0; i < TapListener.MAX_COLLECTORS; i++) {
                    all.add(TapReceiver.connectedTo(socket));
                }
                awaitReady(all.toArray(TapReceiver[]::new));
                try (TapReceiver tooMany = TapReceiver.connectedTo(socket)) {
                    await().until(() -> tooMany.events().contains("closed"));
                    assertThat(tooMany.events()).doesNotContain("ready");
                    await().until(() -> server.logLinesWith("others are turned away").count() == 1);
                }
                all.getFirst().cut();
                await().until(() -> {
                    TapReceiver again = TapReceiver.connectedTo(socket);
                    all.add(again);
                    await().until(() -> !again.events().isEmpty());
                    return again.events().contains("ready");
                });
            } finally {
                for (TapReceiver one : all) {
                    one.close();
                }
            }
        }
    }

    @Test
    void aFileThatAProcessLeftBehindIsReplaced() throws Exception {
        ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket)).close();
        assertThat(socket).exists();
        try (TestServer server = TestServer.start(". {\n dnstap listen " + socket + "\n whoami\n}");
                TapReceiver collector = TapReceiver.connectedTo(socket)) {
            awaitReady(collector);
            assertThat(server.logLinesWith("Cannot listen")).isEmpty();
        }
        assertThat(socket).doesNotExist();
    }

    @Test
    void anAddressThatIsTakenIsWaitedForWhileQueriesAreAnswered() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "precious");
        ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
        try (other;
                TestServer server = TestServer.start(
                        ". {\n dnstap listen " + socket + "\n dnstap listen " + file
                                + "\n dnstap listen tcp://192.0.2.1:6000\n whoami\n}")) {
            assertThat(server.logLinesWith("Cannot listen for collectors on ").toList()).hasSize(3).satisfiesExactlyInAnyOrder(
                    line -> assertThat(line).contains(socket + ": another program listens there; trying again"),
                    line -> assertThat(line).contains(file + ": there is a file of that name that is no socket"),
                    line -> assertThat(line).contains("tcp://192.0.2.1:6000: ", "assign requested address"));
            assertThat(server.ask("example.org", Type.A).getRcode()).isZero();
            other.close();
            await().until(() -> server.logLinesWith("Listening for collectors on " + socket).count() == 1);
            try (TapReceiver collector = TapReceiver.connectedTo(socket)) {
                awaitReady(collector);
            }
        }
        assertThat(file).hasContent("precious");
    }

    @Test
    void collectorsMayConnectByTcp() throws Exception {
        try (TestServer server = TestServer.start(". {\n dnstap listen tcp://127.0.0.1:0\n whoami\n}");
                Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port(server));
                TapReceiver collector = TapReceiver.on(new Socket(InetAddress.getLoopbackAddress(), port(server)))) {
            awaitReady(collector);
            await().until(() -> server.logLinesWith("A collector connected").count() == 1);
            server.ask("example.org", Type.A);
            await().until(() -> collector.messages().size() == 2);
            stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            await().until(() -> server.logLinesWith("the other side does not speak Frame Streams").count() == 1);
        }
    }

    @Test
    void collectorsMayConnectByTlsAndMustShowACertificateIfThereIsAnAuthority() throws Exception {
        TestCertificates certificates = new TestCertificates(directory);
        TestCertificates.Leaf leaf = certificates.leaf("server", "EC");
        String tls = ". {\n dnstap listen tls://127.0.0.1:0 {\n  tls " + leaf.arguments();
        try (TestServer server = TestServer.start(tls + "\n }\n whoami\n}");
                TapReceiver anybody = TapReceiver.on(
                        certificates.client(true).getSocketFactory().createSocket("127.0.0.1", port(server)))) {
            awaitReady(anybody);
            await().until(() -> server.logLinesWith("A collector connected").count() == 1);
            server.ask("example.org", Type.A);
            await().until(() -> anybody.messages().size() == 2);
            server.server().stop();
            await().until(() -> anybody.events().contains("control 3"));
        }
        try (TestServer server = TestServer.start(tls + " " + certificates.authority() + "\n }\n whoami\n}");
                TapReceiver known = TapReceiver.on(
                        certificates.client(false).getSocketFactory().createSocket("127.0.0.1", port(server)));
                TapReceiver unknown = TapReceiver.on(
                        certificates.client(true).getSocketFactory().createSocket("127.0.0.1", port(server)))) {
            awaitReady(known);
            await().until(() -> server.logLinesWith("connection of a collector to tls://127.0.0.1:0 lost").count() == 1);
            assertThat(unknown.events()).doesNotContain("ready");
        }
        try (TestServer server = TestServer.start(tls + " " + certificates.authority() + "\n  skipverify\n }\n whoami\n}");
                TapReceiver unknown = TapReceiver.on(
                        certificates.client(true).getSocketFactory().createSocket("127.0.0.1", port(server)))) {
            awaitReady(unknown);
        }
        assertThatThrownBy(() -> TestServer.start(". {\n dnstap listen tls://127.0.0.1:0 {\n  tls none.crt none.key\n }\n whoami\n}"))
                .isInstanceOf(IOException.class).hasMessageContaining("none.crt: there is no such file");
    }

    /** A capture program and a reader of its files that nobody here wrote; the former can only listen, so the test joins the two. */
    @Test
    void whatIsSentIsUnderstoodByOthers() throws Exception {
        Path capture = directory.resolve("capture");
        Path file = directory.resolve("out.fstrm");
        Path said = directory.resolve("said");
        Process capturing = new ProcessBuilder(
                        "fstrm_capture", "-ddd", "-t", "protobuf:dnstap.Dnstap", "-u", capture.toString(), "-w", file.toString())
                .redirectErrorStream(true).redirectOutput(said.toFile()).start();
        try (TestServer server = TestServer.start(". {\n dnstap listen " + socket + " full\n whoami\n}")) {
            await().until(() -> Files.exists(capture));
            try (SocketChannel ours = SocketChannel.open(UnixDomainSocketAddress.of(socket));
                    SocketChannel theirs = SocketChannel.open(UnixDomainSocketAddress.of(capture))) {
                Thread there = Thread.ofVirtual().start(() -> copy(ours, theirs));
                Thread back = Thread.ofVirtual().start(() -> copy(theirs, ours));
                await().until(() -> server.logLinesWith("A collector connected").count() == 1);
                server.ask("example.org", Type.A);
                server.server().stop();
                there.join();
                back.join();
            }
            await().untilAsserted(() -> assertThat(Files.readString(said)).contains("closing"));
        } finally {
            capturing.destroy();
            assertThat(capturing.waitFor(2, TimeUnit.MINUTES)).isTrue();
        }
        Programs.Result read = Programs.run("dnstap-ldns", "-q", "-r", file.toString());
        assertThat(read.output().lines()).hasSize(2).satisfiesExactly(
                line -> assertThat(line).contains(" CQ 127.0.0.1 UDP ", "\"example.org.\" IN A"),
                line -> assertThat(line).contains(" CR 127.0.0.1 UDP ", "\"example.org.\" IN A"));
    }

    private static void copy(SocketChannel from, SocketChannel to) {
        try (from; to) {
            Channels.newInputStream(from).transferTo(Channels.newOutputStream(to));
        } catch (IOException e) {
            // One end of both has gone, which ends the other.
        }
    }

    @Test
    void mistakesAreTold() throws Exception {
        assertThat(TestServer.errorsOf("""
                . {
                    dnstap listen
                    dnstap listen tcp://127.0.0.1:99999
                    dnstap listen /tmp/tap some
                    dnstap listen tls://:6000
                    dnstap listen tls://:6000 {
                        tls one.crt
                    }
                    dnstap listen tcp://:6000 {
                        tls one.crt one.key
                    }
                    dnstap tls://127.0.0.1:6000 {
                        tls one.crt one.key
                    }
                }
                """)).satisfiesExactly(
                one -> assertThat(one).contains("Corefile:2", "wants 2 to 5 arguments, got 1"),
                one -> assertThat(one).contains("Corefile:3", "\"tcp://127.0.0.1:99999\" is not a socket"),
                one -> assertThat(one).contains("Corefile:4", "\"some\" is not known here"),
                one -> assertThat(one).contains("Corefile:5", "needs a certificate; write in its block: tls CERT KEY [CA]"),
                one -> assertThat(one).contains("Corefile:7", "tls: wants 2 to 3 arguments"),
                one -> assertThat(one).contains("Corefile:10", "tls: goes with 'dnstap listen tls://HOST:PORT'"),
                one -> assertThat(one).contains("Corefile:13", "tls: goes with 'dnstap listen tls://HOST:PORT'"));
    }
}
